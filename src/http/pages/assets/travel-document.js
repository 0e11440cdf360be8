// Reads boarding passes from the camera and from photos. Files and texts work without this script.

const card = document.querySelector('[data-scanner]')
const form = document.getElementById('document')
const file = document.getElementById('document-file')
const pasted = document.getElementById('document-text')
const status = card.querySelector('[role=status]')
const scan = card.querySelector('.scan')
const texts = JSON.parse(card.dataset.texts)

const SCAN_INTERVAL_MS = 120
/** Larger photos take seconds and are no easier to read. */
const MAX_PHOTO_SIDE = 2400

let reader
function loadReader() {
  reader ??= import(card.dataset.scanner).then(
    ({ createReader }) => createReader(card.dataset.wasm),
    (error) => {
      reader = undefined
      throw error
    },
  )
  return reader
}

const isBoardingPass = (text) => /^M[1-4]/.test(text)

function submitCodes(codes) {
  file.value = ''
  pasted.value = codes.join('\n')
  status.textContent = texts.reading
  form.requestSubmit()
}

function pixelsOf(source, width, height) {
  const canvas = document.createElement('canvas')
  const scale = Math.min(1, MAX_PHOTO_SIDE / Math.max(width, height))
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context.drawImage(source, 0, 0, canvas.width, canvas.height)
  return context.getImageData(0, 0, canvas.width, canvas.height)
}

/** Photos */

async function readPhoto(photo) {
  status.textContent = texts.reading
  let bitmap
  try {
    bitmap = await createImageBitmap(photo)
  } catch {
    status.textContent = texts.unreadablePhoto
    return
  }
  try {
    const read = await loadReader()
    const found = await read(pixelsOf(bitmap, bitmap.width, bitmap.height))
    const passes = found.filter(isBoardingPass)
    if (passes.length > 0) submitCodes(passes)
    else status.textContent = found.length > 0 ? texts.otherCode : texts.noCode
  } catch {
    status.textContent = texts.notLoaded
  } finally {
    bitmap.close()
  }
}

function readFile(chosen) {
  if (chosen.type.startsWith('image/')) return readPhoto(chosen)
  status.textContent = texts.reading
  form.requestSubmit()
}

file.addEventListener('change', () => file.files[0] && readFile(file.files[0]))

function takeFile(transfer, event) {
  const [chosen] = transfer?.files ?? []
  if (!chosen) return
  event.preventDefault()
  // Only a DataTransfer can fill a file field.
  const filled = new DataTransfer()
  filled.items.add(chosen)
  file.files = filled.files
  readFile(chosen)
}

card.addEventListener('dragover', (event) => {
  if (!event.dataTransfer.types.includes('Files')) return
  event.preventDefault()
  card.classList.add('dropping')
})
card.addEventListener('dragleave', (event) => card.contains(event.relatedTarget) || card.classList.remove('dropping'))
card.addEventListener('drop', (event) => {
  card.classList.remove('dropping')
  takeFile(event.dataTransfer, event)
})
document.addEventListener('paste', (event) => takeFile(event.clipboardData, event))

/** Camera */

function messageOf({ name }) {
  if (name === 'NotAllowedError' || name === 'SecurityError') return texts.cameraRefused
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? texts.noCamera : texts.cameraFailed
}

async function openCamera() {
  const dialog = document.createElement('dialog')
  dialog.className = 'scanner'
  dialog.setAttribute('aria-label', texts.scan)
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  const hint = document.createElement('p')
  hint.setAttribute('role', 'status')
  hint.textContent = texts.startingCamera
  const close = document.createElement('button')
  close.type = 'button'
  close.textContent = texts.close
  close.addEventListener('click', () => dialog.close())
  dialog.append(video, hint, close)
  document.body.append(dialog)
  dialog.showModal()

  let stream
  let isOpen = true
  dialog.addEventListener('close', () => {
    isOpen = false
    for (const track of stream?.getTracks() ?? []) track.stop()
    dialog.remove()
    scan.focus()
  })

  try {
    const loading = loadReader()
    // Handled below; a refused camera must not leave it unhandled.
    loading.catch(() => undefined)
    stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
    })
    if (!isOpen) {
      for (const track of stream.getTracks()) track.stop()
      return
    }
    video.srcObject = stream
    await video.play()
    const read = await loading.catch(() => {
      throw new Error(texts.notLoaded)
    })
    hint.textContent = texts.holdCode
    while (isOpen) {
      const found = video.videoWidth > 0 ? await read(pixelsOf(video, video.videoWidth, video.videoHeight)) : []
      const passes = found.filter(isBoardingPass)
      if (isOpen && passes.length > 0) {
        dialog.close()
        return submitCodes(passes)
      }
      if (found.length > 0) hint.textContent = texts.otherCode
      await new Promise((resolve) => setTimeout(resolve, SCAN_INTERVAL_MS))
    }
  } catch (error) {
    if (!isOpen) return
    dialog.close()
    status.textContent = error.message === texts.notLoaded ? texts.notLoaded : messageOf(error)
  }
}

// Browsers offer the camera only to pages on HTTPS and localhost.
if (navigator.mediaDevices?.getUserMedia) {
  scan.hidden = false
  scan.addEventListener('click', openCamera)
  // Fetch the library while the user reaches for the camera.
  scan.addEventListener('pointerenter', () => loadReader().catch(() => undefined), { once: true })
}
