// Optional: all pages work without this script.

for (const button of document.querySelectorAll('button[data-copy]')) {
  const status = button.parentElement.querySelector('[role="status"]') ?? document.getElementById('copied')
  const texts = JSON.parse(button.dataset.texts)
  button.hidden = false
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy)
    try {
      await navigator.clipboard.writeText(source.textContent)
      status.textContent = texts.copied
    } catch {
      // The clipboard is available only over https and on localhost.
      getSelection().selectAllChildren(source)
      status.textContent = texts.selected
    }
  })
}

for (const time of document.querySelectorAll('time[data-local]')) {
  const hour12 = time.dataset.local === '12'
  const options = { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit', hour12 }
  time.textContent = new Date(time.dateTime).toLocaleTimeString(document.documentElement.lang, options)
}

/** Turns a lookup field into a combobox. The server resolves any text that is not chosen from the list. */
function suggest(field) {
  const input = field.querySelector('input[type="text"]')
  const asked = field.querySelector('input[name$=".asked"]')
  const texts = JSON.parse(field.dataset.texts)
  const list = document.createElement('ul')
  const status = document.createElement('p')
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

  function itemOf({ label, detail, note, until }, index) {
    const item = document.createElement('li')
    const words = [detail, texts[note]?.replace('{year}', until)].filter(Boolean).join(', ')
    const more = Object.assign(document.createElement('span'), { className: 'quiet', textContent: words })
    item.id = `${list.id}-${index}`
    item.setAttribute('role', 'option')
    item.append(label, ' ', more)
    return item
  }

  function take({ id, label, zone }) {
    field.querySelector('.options')?.remove()
    let hidden = field.querySelector('input[name$=".id"]')
    if (!hidden) {
      hidden = Object.assign(document.createElement('input'), { type: 'hidden', name: `${input.name}.id` })
      field.append(hidden)
    }
    hidden.value = id
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
    status.textContent = ''
    show([])
  }

  function busy(runs) {
    field.classList.toggle('busy', runs)
    input.setAttribute('aria-busy', String(runs))
  }

  /** Takes the first option if its code was typed. */
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
    status.textContent = texts.searching
    try {
      const answer = await fetch(`${field.dataset.search}?q=${encodeURIComponent(text)}`, { redirect: 'error' })
      const found = answer.ok ? await answer.json() : []
      // The answer is stale.
      if (turn !== latest) return
      busy(false)
      show(found)
      if (document.activeElement !== input) return leave()
      status.textContent = [texts.none, texts.one][found.length] ?? texts.several.replace('{count}', found.length)
    } catch {
      // Signed out or offline.
      close()
    }
  }

  list.id = `${input.id}-suggestions`
  list.className = 'suggestions'
  list.setAttribute('role', 'listbox')
  // Scrollable lists are focusable otherwise, and the list closes when the field loses focus.
  list.tabIndex = -1
  list.setAttribute('aria-label', texts.suggestions)
  status.className = 'unseen'
  status.setAttribute('role', 'status')
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-autocomplete', 'list')
  input.setAttribute('aria-controls', list.id)
  field.append(list, status)
  show([])

  input.addEventListener('input', () => {
    clearTimeout(waiting)
    delete field.dataset.zone
    waiting = setTimeout(look, 150)
  })
  input.addEventListener('blur', () => {
    // The field was left before the search began.
    if (input.value !== asked.value && options.length === 0) {
      clearTimeout(waiting)
      look()
    } else leave()
  })
  field.addEventListener('choose', ({ detail }) => take(detail))
  input.addEventListener('keydown', (event) => {
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
  // Keeps the focus in the field: the list would close before the click.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    const index = [...list.children].indexOf(event.target.closest('li'))
    if (index >= 0) take(options[index])
  })
}

for (const field of document.querySelectorAll('[data-search]')) suggest(field)

/** Menus close on a click elsewhere and on Escape. */
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

/** Adds a count and a button that selects all flights. */
for (const form of document.querySelectorAll('form[data-bulk]')) {
  const texts = JSON.parse(form.dataset.bulk)
  const boxes = [...form.elements].filter(({ name }) => name === 'flight')
  const status = form.querySelector('[role="status"]')
  const toggle = form.querySelector('[data-all]')
  const count = () => boxes.filter(({ checked }) => checked).length
  function show() {
    status.textContent = texts.selected.replace('{count}', count())
    toggle.textContent = count() < boxes.length ? texts.selectAll : texts.selectNone
  }
  toggle.hidden = false
  toggle.addEventListener('click', () => {
    const checked = count() < boxes.length
    for (const box of boxes) box.checked = checked
    show()
  })
  for (const box of boxes) box.addEventListener('change', show)
  show()
}
