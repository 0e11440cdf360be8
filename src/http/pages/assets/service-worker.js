// Keeps home and flight pages of one session and language for reading without a connection (contract 10.7).

const SESSION_HEADER = 'x-paxlog-session'
const PAGES = 'pages-'
const SHELL = 'shell'
const MAX_FLIGHTS = 50
const MAX_SHELL_FILES = 200
/** Sessions end after this time without use. */
const MAX_AGE_MS = 30 * 24 * 3_600_000

/** The session of the latest page. Pages of another one are not stored. */
let current
let queue = Promise.resolve()

/** Deletions and additions must not overlap: a page of an ended session could be stored after the deletion. */
function inTurn(work) {
  queue = queue.then(work).catch(() => undefined)
  return queue
}

const isStored = ({ pathname, search }) => search === '' && /^\/(?:flights\/\d+)?$/.test(pathname)
const isShell = ({ pathname }) => pathname.startsWith('/assets/') && !/^\/assets\/(?:map|world|labels)-/.test(pathname)
const find = (path) => caches.match(path, { ignoreVary: true })

async function deletePagesExcept(kept) {
  const names = await caches.keys()
  const others = names.filter((name) => name.startsWith(PAGES) && name !== kept)
  await Promise.all(others.map((name) => caches.delete(name)))
}

/** Keeps pages of this session only. */
function follow(session) {
  current = session
  return inTurn(() => deletePagesExcept(PAGES + session))
}

async function dropOldest(cache, max, isCounted) {
  const counted = (await cache.keys()).filter(({ url }) => isCounted(new URL(url).pathname))
  await Promise.all(counted.slice(0, -max).map((request) => cache.delete(request)))
}

/** Returns the page as text. */
async function storePage(path, response) {
  const session = response.headers.get(SESSION_HEADER)
  const headers = new Headers(response.headers)
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  // A notice appears once.
  const html = (await response.text()).replace(/<p class="(?:notice|warning)" role="status">.*?<\/p>/s, '')
  await inTurn(async () => {
    if (session !== current) return
    const cache = await caches.open(PAGES + session)
    await cache.delete(path, { ignoreVary: true })
    await cache.put(path, new Response(html, { headers }))
    await dropOldest(cache, MAX_FLIGHTS, (pathname) => pathname !== '/')
  })
  return html
}

function storeFile(path, response) {
  return inTurn(async () => {
    const cache = await caches.open(SHELL)
    await cache.put(path, response)
    await dropOldest(cache, MAX_SHELL_FILES, (pathname) => pathname !== '/offline')
  })
}

async function fetchMissing(paths, store) {
  for (const path of paths) {
    if (await find(path)) continue
    const response = await fetch(path, { redirect: 'manual' })
    // A redirect leads to the sign-in.
    if (!response.ok) return
    await store(path, response)
  }
}

const linksIn = (html, pattern) => [...new Set(Array.from(html.matchAll(pattern), ([, path]) => path))]

const languageOf = (response) => response.headers.get('content-language')

/** The offline page follows the language of home. */
async function dropOfflinePageExcept(language) {
  const stored = await find('/offline')
  if (stored && languageOf(stored) !== language)
    await (await caches.open(SHELL)).delete('/offline', { ignoreVary: true })
}

/** Stores what home needs and links to. */
async function storeLinks(html) {
  const files = linksIn(html, /(?:src|href)="(\/assets\/[^"]+)"/g)
  const shell = files.filter((path) => isShell(new URL(path, location.origin)))
  await fetchMissing(['/offline', ...shell], storeFile)
  await fetchMissing(linksIn(html, /href="(\/flights\/\d+)"/g).slice(0, MAX_FLIGHTS), storePage)
}

async function storeHome(response) {
  await dropOfflinePageExcept(languageOf(response))
  await storeLinks(await storePage('/', response))
}

async function readOffline(url) {
  const stored = isStored(url) && (await find(url.pathname))
  if (!stored || Date.now() - Date.parse(stored.headers.get('date')) > MAX_AGE_MS) {
    return (await find('/offline')) ?? Response.error()
  }
  const html = (await stored.text()).replace('<html ', '<html data-offline ')
  return new Response(html, { headers: stored.headers })
}

async function navigate(event, url) {
  let response
  try {
    response = await fetch(event.request)
  } catch {
    return readOffline(url)
  }
  const session = response.headers.get(SESSION_HEADER)
  if (session) event.waitUntil(follow(session))
  else if (response.ok && url.pathname === '/login') event.waitUntil(follow(null))
  if (session && response.ok && isStored(url)) {
    const copy = response.clone()
    event.waitUntil(url.pathname === '/' ? storeHome(copy) : storePage(url.pathname, copy))
  }
  return response
}

async function readFile(event, { pathname }) {
  const stored = await find(pathname)
  if (stored) return stored
  const response = await fetch(event.request)
  if (response.ok) event.waitUntil(storeFile(pathname, response.clone()))
  return response
}

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))

addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const address = new URL(url)
  // The browser itself handles forms, so that a form that was not sent can be sent again.
  if (method !== 'GET' || address.origin !== location.origin) return
  if (mode === 'navigate') event.respondWith(navigate(event, address))
  else if (isShell(address)) event.respondWith(readFile(event, address))
})

/** The settings page asks to store the first pages, and waits for the answer. */
addEventListener('message', (event) => {
  async function start() {
    const home = await fetch('/', { redirect: 'manual' })
    const session = home.headers.get(SESSION_HEADER)
    if (!home.ok || !session) throw new Error('Signed out')
    await follow(session)
    await storeHome(home)
  }
  const report = (isDone) => event.ports[0].postMessage(isDone)
  event.waitUntil(
    start().then(
      () => report(true),
      () => report(false),
    ),
  )
})
