import { chromium } from 'playwright-core'

export const PROGRAM = '/usr/bin/chromium'

const launch = (...args: string[]) =>
  chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox', '--disable-background-networking', ...args] })

export const launchChromium = () => launch('--disable-gpu')

/** Uses software rendering for maps. */
export const launchWithWebGl = () =>
  launch('--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist')

export const launchWithoutWebGl = () => launch('--disable-gpu', '--disable-3d-apis')

/** Plays a video in place of the camera. */
export const launchWithCamera = (video: string) =>
  launch(
    '--disable-gpu',
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${video}`,
  )
