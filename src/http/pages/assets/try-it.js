// Calls an API operation from its documentation page. The key is never stored.

const SHOWN_HEADERS = ['content-type', 'location', 'content-disposition', 'www-authenticate', 'retry-after']
const MAX_SHOWN_LENGTH = 200_000

const section = document.querySelector('[data-try]')
const texts = section && JSON.parse(section.dataset.texts)

function element(name, text, parent, className) {
  const made = document.createElement(name)
  made.textContent = text
  if (className) made.className = className
  parent.append(made)
  return made
}

function addressOf(form) {
  let path = section.dataset.path
  const query = new URLSearchParams()
  for (const field of form.querySelectorAll('[data-in]:not([data-in="header"])')) {
    const { name, in: place } = field.dataset
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(field.value))
    else if (field.value !== '') query.set(name, field.value)
  }
  return query.size > 0 ? `${path}?${query}` : path
}

function requestOf() {
  const key = document.getElementById('try-key')?.value.trim()
  const body = document.getElementById('try-body')?.value ?? document.getElementById('try-file')?.files[0]
  const headers = {
    ...(key && { Authorization: `Bearer ${key}` }),
    ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
  }
  for (const { dataset, value } of section.querySelectorAll('[data-in="header"]')) {
    if (value !== '') headers[dataset.name] = value
  }
  // Without cookies, like any other API client.
  return { method: section.dataset.method, headers, body, credentials: 'omit', cache: 'no-store' }
}

function readable(text, type) {
  if (!type.startsWith('application/json')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function show(answer, response, text) {
  const type = response.headers.get('content-type') ?? ''
  const shown = readable(text, type)
  element('h3', `${response.status} ${response.statusText}`.trim(), answer, response.ok ? 'good' : 'bad')
  const error = !response.ok && type.startsWith('application/json') ? JSON.parse(text).error : undefined
  if (error) element('p', error.message, answer)
  const list = document.createElement('dl')
  list.className = 'facts'
  for (const name of SHOWN_HEADERS) {
    const value = response.headers.get(name)
    if (value === null) continue
    const row = element('div', '', list)
    element('dt', name, row)
    element('code', value, element('dd', '', row))
  }
  answer.append(list)
  if (shown === '') element('p', texts.noBody, answer, 'quiet')
  else element('code', shown.slice(0, MAX_SHOWN_LENGTH), element('pre', '', answer))
  if (shown.length > MAX_SHOWN_LENGTH) element('p', texts.shortened, answer, 'quiet')
}

async function send(event) {
  event.preventDefault()
  const answer = document.getElementById('try-answer')
  const button = event.target.querySelector('button')
  button.disabled = true
  try {
    const response = await fetch(addressOf(event.target), requestOf())
    const text = await response.text()
    answer.replaceChildren()
    show(answer, response, text)
  } catch {
    answer.replaceChildren()
    element('p', texts.failed, answer, 'field-error')
  } finally {
    button.disabled = false
  }
}

if (section) {
  section.querySelector('form').addEventListener('submit', send)
  section.hidden = false
}

/** Filters the operations of the overview while typing. */
function filterOperations(search) {
  const field = search.querySelector('input')
  const status = search.querySelector('[role="status"]')
  const searchTexts = JSON.parse(search.dataset.texts)
  const lines = [...document.querySelectorAll('.operations li')]
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    for (const line of lines) {
      const text = `${line.id} ${line.textContent}`.toLowerCase()
      line.hidden = !words.every((word) => text.includes(word))
    }
    for (const list of document.querySelectorAll('.operations')) {
      list.closest('section').hidden = [...list.children].every(({ hidden }) => hidden)
    }
    const count = lines.filter(({ hidden }) => !hidden).length
    status.textContent = count === 0 ? searchTexts.none : searchTexts.found.replace('{count}', count)
    status.classList.toggle('unseen', count > 0)
  })
}

const operationSearch = document.querySelector('[data-operation-search]')
if (operationSearch) filterOperations(operationSearch)
