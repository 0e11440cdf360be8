// Adds passkeys, signs in with them, and confirms the deletion of an account.

import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

/** Challenges live five minutes, so the one in the username field is replaced earlier. */
const AUTOFILL_RENEWAL_MS = 240_000

class RequestFailed extends Error {}

async function post(path, csrf, body, texts) {
  const headers = { 'content-type': 'application/json', 'x-csrf-token': csrf }
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => undefined)
  const content = await answer?.json().catch(() => undefined)
  if (!answer?.ok || !content) throw new RequestFailed(content?.error?.message ?? texts.failed)
  return content
}

function messageOf(error, texts) {
  if (error instanceof RequestFailed) return error.message
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return texts.cancelled
  if (error.name === 'InvalidStateError') return texts.exists
  return texts.unsupported
}

/** Disables the button during the work and shows its error. */
async function run(button, status, texts, work) {
  button.disabled = true
  status.textContent = ''
  try {
    await work()
  } catch (error) {
    status.textContent = messageOf(error, texts)
  }
  button.disabled = false
}

const textsOf = (element) => JSON.parse(element.dataset.texts)
const statusIn = (element) => element.querySelector('[role="status"]')

function offerSignIn(element) {
  const { passkeySignIn: path, next } = element.dataset
  const csrf = element.querySelector('[name="csrf"]').value
  const texts = textsOf(element)
  const button = element.querySelector('button')
  let isAsking = false

  async function request(useBrowserAutofill) {
    const optionsJSON = await post(`${path}/options`, csrf, {}, texts)
    return startAuthentication({ optionsJSON, useBrowserAutofill })
  }

  async function signIn(response) {
    location.assign((await post(path, csrf, { response, next }, texts)).next)
  }

  /** Shows no errors before the user selects a passkey. */
  async function fillIn() {
    if (isAsking) return
    const response = await request(true).catch(() => undefined)
    if (response) await run(button, statusIn(element), texts, () => signIn(response))
  }

  button.addEventListener('click', async () => {
    isAsking = true
    await run(button, statusIn(element), texts, async () => signIn(await request(false)))
    isAsking = false
    startAutofill()
  })
  element.hidden = false

  let renewal
  async function startAutofill() {
    clearInterval(renewal)
    if (!document.querySelector('input[autocomplete$="webauthn"]') || !(await browserSupportsWebAuthnAutofill())) return
    renewal = setInterval(fillIn, AUTOFILL_RENEWAL_MS)
    await fillIn()
  }
  startAutofill()
}

function offerAdding(element) {
  const texts = textsOf(element)
  const form = element.querySelector('form')
  const path = form.getAttribute('action')
  const csrf = form.elements.csrf.value
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const { name, password } = form.elements
    run(form.querySelector('button'), statusIn(form), texts, async () => {
      const optionsJSON = await post(`${path}/options`, csrf, { password: password?.value }, texts)
      const response = await startRegistration({ optionsJSON })
      location.assign((await post(path, csrf, { name: name.value, response }, texts)).next)
    })
  })
  element.hidden = false
}

function offerConfirmation(element) {
  const texts = textsOf(element)
  const form = element.closest('form')
  const { passkeyConfirmation: path, only } = element.dataset
  const confirm = (button) =>
    run(button, statusIn(element), texts, async () => {
      const optionsJSON = await post(path, form.elements.csrf.value, { purpose: 'delete' }, texts)
      form.elements.passkey.value = JSON.stringify(await startAuthentication({ optionsJSON }))
      form.submit()
    })
  const button = element.querySelector('button')
  if (button) {
    button.addEventListener('click', () => confirm(button))
    button.hidden = false
  }
  if (only === undefined) return
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    confirm(event.submitter)
  })
}

const parts = {
  '[data-passkey-sign-in]': offerSignIn,
  '[data-new-passkey]': offerAdding,
  '[data-passkey-confirmation]': offerConfirmation,
}

if (browserSupportsWebAuthn()) {
  for (const [selector, offer] of Object.entries(parts)) {
    for (const element of document.querySelectorAll(selector)) offer(element)
  }
}
