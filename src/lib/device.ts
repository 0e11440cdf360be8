/** Longer than what any browser says of itself; what lies beyond is not looked at. */
const MOST_CHARACTERS = 400

// Most say that they are several browsers: the first that fits is meant.
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

/** A browser by its `User-Agent`, in words of ours, such as "Firefox on Linux"; undefined where nothing is recognised. */
export function deviceOf(userAgent: string | undefined): string | undefined {
  const text = (userAgent ?? '').slice(0, MOST_CHARACTERS)
  const named = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(text))?.[1]
  const [browser, system] = [named(browsers), named(systems)]
  return browser && system ? `${browser} on ${system}` : (browser ?? system)
}
