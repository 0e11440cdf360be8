// Keyboard shortcuts of signed-in pages.

const WAIT_MS = 1500
const OFF = 'paxlog-keys=off'

/** The list of keys, with a switch: speech input and slips can press single letters. */
function shortcutList(texts, actions, isOn) {
  const dialog = document.createElement('dialog')
  const create = (name, text, ...children) => {
    const element = document.createElement(name)
    element.append(text, ...children)
    return element
  }
  dialog.className = 'key-list'
  dialog.setAttribute('aria-label', texts.title)
  const list = document.createElement('dl')
  for (const keys of Object.keys(texts.actions).filter((name) => actions.has(name))) {
    const names = keys.split(' ').flatMap((key) => [create('kbd', key), ' '])
    list.append(create('dt', ...names), create('dd', texts.actions[keys]))
  }
  const box = Object.assign(document.createElement('input'), { type: 'checkbox', checked: isOn })
  const choice = create('label', box, create('span', texts.use))
  choice.className = 'choice'
  box.addEventListener('change', () => {
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
    document.cookie = `${OFF}; path=/; max-age=${box.checked ? 0 : 31536000}; samesite=lax`
  })
  const close = create('button', texts.close)
  close.type = 'button'
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  dialog.append(create('h2', texts.title), list, choice, close)
  document.body.append(dialog)
  dialog.showModal()
}

function focusSearch(field) {
  for (let fold = field.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true
  field.focus()
}

function addShortcuts(opener) {
  const texts = JSON.parse(opener.dataset.texts)
  const isOn = () => !document.cookie.split('; ').includes(OFF)
  const actions = new Map()
  let first = ''
  let waiting

  for (const link of document.querySelectorAll('a[data-keys]')) actions.set(link.dataset.keys, () => link.click())
  const search = document.querySelector('main input[type="search"]')
  if (search) actions.set('/', () => focusSearch(search))
  actions.set('?', () => shortcutList(texts, actions, isOn()))

  document.addEventListener('keydown', (event) => {
    const { key, target, defaultPrevented, ctrlKey, metaKey, altKey } = event
    // The map handles its own keys.
    if (defaultPrevented || ctrlKey || metaKey || altKey || key === 'Shift') return
    if (target.closest?.('input, select, textarea, dialog') || !isOn()) return
    const keys = first ? `${first} ${key}` : key
    clearTimeout(waiting)
    first = keys === 'g' ? key : ''
    if (first) {
      waiting = setTimeout(() => {
        first = ''
      }, WAIT_MS)
    }
    const action = actions.get(keys)
    if (!action) return
    event.preventDefault()
    action()
  })
  opener.addEventListener('click', actions.get('?'))
  opener.hidden = false
}

const shortcutsButton = document.querySelector('[data-shortcuts]')
if (shortcutsButton) addShortcuts(shortcutsButton)
