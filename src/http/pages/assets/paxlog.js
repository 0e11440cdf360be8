// Comfort only: every page does its work without this file.

for (const button of document.querySelectorAll('button[data-copy]')) {
  const told = document.getElementById('copied')
  button.hidden = false
  button.addEventListener('click', async () => {
    const text = document.getElementById(button.dataset.copy).textContent
    try {
      await navigator.clipboard.writeText(text)
      told.textContent = 'Copied.'
    } catch {
      // Browsers offer the clipboard only to safe addresses; the text can still be selected.
      getSelection().selectAllChildren(document.getElementById(button.dataset.copy))
      told.textContent = 'Selected: copy it with the keyboard.'
    }
  })
}

for (const link of document.querySelectorAll('a[data-preset]')) {
  link.addEventListener('click', (event) => {
    event.preventDefault()
    const wanted = new Set(link.dataset.preset.split(' '))
    for (const box of link.closest('form').querySelectorAll('input[name="scope"]')) box.checked = wanted.has(box.value)
  })
}

for (const time of document.querySelectorAll('time[data-local]')) {
  const hour12 = time.dataset.local === '12'
  const shape = { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit', hour12 }
  time.textContent = new Intl.DateTimeFormat('en', shape).format(new Date(time.dateTime))
}
