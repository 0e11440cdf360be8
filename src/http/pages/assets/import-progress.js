// Shows the progress of an import while the browser waits for the next page.

const POLL_MS = 500

const bar = document.querySelector('[data-import-progress]')
const progress = bar.querySelector('progress')
const label = bar.querySelector('[role="status"]')
const texts = JSON.parse(bar.dataset.texts)
const number = new Intl.NumberFormat(document.documentElement.lang)
let isWaiting = false

/** Changes the text only when the step changes, because screen readers announce it. */
function announce(text) {
  if (label.textContent !== text) label.textContent = text
}

function show({ done, rows }) {
  if (rows === undefined) return
  progress.max = rows
  progress.value = done
  progress.textContent = progress.title = texts.rows
    .replace('{done}', number.format(done))
    .replace('{rows}', number.format(rows))
  announce(done < rows ? texts.checking : texts.saving)
}

async function poll() {
  while (isWaiting) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    try {
      const answer = await fetch(bar.dataset.importProgress, { redirect: 'error' })
      if (answer.ok) show(await answer.json())
    } catch {
      // The bar stays as it is.
    }
  }
}

for (const form of document.querySelectorAll('main form[method="post"]')) {
  form.addEventListener('submit', () => {
    if (isWaiting) return
    isWaiting = true
    bar.hidden = false
    bar.scrollIntoView({ block: 'nearest' })
    announce(texts.sending)
    void poll()
  })
}

// The browser may show this page again from its cache.
addEventListener('pageshow', () => {
  isWaiting = false
  bar.hidden = true
})
