// Switches the service worker on and off for this browser.

const button = document.querySelector('[data-offline-switch]')
const status = button.parentElement.querySelector('[role="status"]')
const texts = JSON.parse(button.dataset.texts)
let registration

function show(isOn, text = isOn ? texts.on : '') {
  button.textContent = isOn ? texts.turnOff : texts.turnOn
  button.disabled = false
  status.textContent = text
}

const deletePages = async () => Promise.all((await caches.keys()).map((name) => caches.delete(name)))

/** True once home and the flights of its list are stored. */
function storePages({ active }) {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
    active.postMessage('store', [port2])
  })
}

async function turnOff() {
  await registration?.unregister()
  registration = undefined
  await deletePages()
}

async function turnOn() {
  // An earlier sign-in may have left pages.
  await deletePages()
  registration = await navigator.serviceWorker.register('/service-worker.js')
  if (!(await storePages(await navigator.serviceWorker.ready))) throw new Error('Not stored')
}

button.addEventListener('click', async () => {
  button.disabled = true
  if (registration) {
    await turnOff()
    return show(false, texts.off)
  }
  status.textContent = texts.storing
  try {
    await turnOn()
    show(true)
  } catch {
    await turnOff()
    show(false, texts.failed)
  }
})

if (navigator.serviceWorker) {
  registration = await navigator.serviceWorker.getRegistration('/')
  show(registration !== undefined)
  button.hidden = false
}
