// Comfort only: every page does its work without this file.

for (const button of document.querySelectorAll('button[data-copy]')) {
  const told = button.parentElement.querySelector('[role="status"]') ?? document.getElementById('copied')
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

/** Suggestions while one types, as a combobox with a list; whatever is typed is looked up by the server anyway. */
function suggest(field) {
  const input = field.querySelector('input[type="text"]')
  const asked = field.querySelector('input[name$=".asked"]')
  const list = document.createElement('ul')
  const told = document.createElement('p')
  let options = []
  let active = -1
  let latest = 0
  let waiting

  function mark(index) {
    active = index
    for (const [at, item] of [...list.children].entries()) item.setAttribute('aria-selected', String(at === index))
    if (index < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', list.children[index].id)
    list.children[index]?.scrollIntoView({ block: 'nearest' })
  }

  function show(found) {
    options = found
    list.replaceChildren(...found.map(itemOf))
    list.hidden = found.length === 0
    input.setAttribute('aria-expanded', String(!list.hidden))
    mark(-1)
  }

  function itemOf({ label, detail }, index) {
    const item = document.createElement('li')
    const more = document.createElement('span')
    more.className = 'quiet'
    more.textContent = detail
    item.id = `${list.id}-${index}`
    item.setAttribute('role', 'option')
    item.append(label, ' ', more)
    return item
  }

  function take({ id, label, zone }) {
    field.querySelector('.options')?.remove()
    let kept = field.querySelector('input[name$=".id"]')
    if (!kept) {
      kept = Object.assign(document.createElement('input'), { type: 'hidden', name: `${input.name}.id` })
      field.append(kept)
    }
    kept.value = id
    input.value = label
    asked.value = label
    if (zone) field.dataset.zone = zone
    close()
    field.dispatchEvent(new Event('chosen', { bubbles: true }))
  }

  function close() {
    clearTimeout(waiting)
    latest++
    busy(false)
    told.textContent = ''
    show([])
  }

  function busy(runs) {
    field.classList.toggle('busy', runs)
    input.setAttribute('aria-busy', String(runs))
  }

  /** Who goes on takes what the code says that was typed; all else is asked by the server. */
  function leave() {
    const code = input.value.trim().toUpperCase()
    const [first] = options
    if (first && (first.label.startsWith(`${code} – `) || first.label.endsWith(` (${code})`))) take(first)
    else close()
  }

  async function look() {
    const turn = ++latest
    const text = input.value.trim()
    if (text.length < 2) return close()
    busy(true)
    told.textContent = 'Searching.'
    try {
      const answer = await fetch(`${field.dataset.search}?q=${encodeURIComponent(text)}`, { redirect: 'error' })
      const found = answer.ok ? await answer.json() : []
      // An answer that comes too late belongs to an older text.
      if (turn !== latest) return
      busy(false)
      show(found)
      if (document.activeElement !== input) return leave()
      told.textContent = found.length === 1 ? 'One suggestion.' : `${found.length || 'No'} suggestions.`
    } catch {
      // Signed out, or without a network: the form still says what is wrong.
      close()
    }
  }

  list.id = `${input.id}-suggestions`
  list.className = 'suggestions'
  list.setAttribute('role', 'listbox')
  // A list that scrolls would be a stop for Tab of its own, and closes as soon as it has the focus.
  list.tabIndex = -1
  list.setAttribute('aria-label', 'Suggestions')
  told.className = 'unseen'
  told.setAttribute('role', 'status')
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-autocomplete', 'list')
  input.setAttribute('aria-controls', list.id)
  field.append(list, told)
  show([])

  input.addEventListener('input', () => {
    clearTimeout(waiting)
    delete field.dataset.zone
    waiting = setTimeout(look, 150)
  })
  input.addEventListener('blur', () => {
    // Whoever types quickly has gone on before the search began.
    if (input.value !== asked.value && options.length === 0) {
      clearTimeout(waiting)
      look()
    } else leave()
  })
  field.addEventListener('choose', ({ detail }) => take(detail))
  input.addEventListener('keydown', (event) => {
    // Whoever has closed the list asks for it again.
    if (list.hidden && event.key === 'ArrowDown') look()
    if (list.hidden) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) mark((active + step + options.length + (active < 0 && step < 0 ? 1 : 0)) % options.length)
    else if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && active >= 0) take(options[active])
    else if (event.key === 'Tab' && active >= 0) return take(options[active])
    else return
    event.preventDefault()
  })
  // The field keeps the focus, without which the list closes before the click arrives.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    const index = [...list.children].indexOf(event.target.closest('li'))
    if (index >= 0) take(options[index])
  })
}

for (const field of document.querySelectorAll('[data-search]')) suggest(field)

/** What unfolds over the page folds again when one looks elsewhere. */
const foldMenus = (except) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) if (menu !== except) menu.open = false
}
document.addEventListener('click', ({ target }) => foldMenus(target.closest?.('details.menu')))
document.addEventListener('keydown', (event) => {
  const menu = event.key === 'Escape' && document.activeElement?.closest('details.menu[open]')
  if (!menu) return
  menu.open = false
  menu.querySelector('summary').focus()
})
