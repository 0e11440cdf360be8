// Most user agents name several browsers: the order matters.
const browsers: readonly [RegExp, string][] = [
  [/\bEdgi?A?(?:OS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(?:intosh| OS)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Describes a `User-Agent`, such as "Firefox on Linux"; undefined if nothing is recognised. */
export function describeDevice(userAgent: string | undefined): string | undefined {
  const text = (userAgent ?? '').slice(0, 400)
  const findName = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(text))?.[1]
  const [browser, system] = [findName(browsers), findName(systems)]
  return browser && system ? `${browser} on ${system}` : (browser ?? system)
}
