import type { Page } from 'playwright-core'

const MIN_TARGET_PX = 44

/** A sentence has at least this many words besides its links. */
const MIN_SENTENCE_WORDS = 4

/**
 * Runs in the page: returns all touch targets below the minimum size. Links in a sentence are exempt by WCAG 2.5.8: they
 * are inline, outside of tables and drawings, and their block has other words, some on the same line.
 */
const SMALL_TARGETS = `(() => {
  const MIN = ${MIN_TARGET_PX} - 0.5
  const TARGETS = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [tabindex]:not([tabindex="-1"])'
  const isShown = (element) => element.checkVisibility({ opacityProperty: false, visibilityProperty: true })
  const unite = (boxes) => ({
    width: Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left)),
    height: Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top)),
  })
  const blockOf = (element) => {
    let block = element.parentElement
    while (getComputedStyle(block).display.startsWith('inline')) block = block.parentElement
    return block
  }
  const isInText = (element) => {
    if (!element.matches('a') || getComputedStyle(element).display !== 'inline' || element.closest('table, svg, dt')) return false
    const lines = [...element.getClientRects()]
    let [words, isBeside] = [0, false]
    const texts = document.createTreeWalker(blockOf(element), NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const node = texts.currentNode
      if (node.parentElement.closest(TARGETS + ', label, .unseen')) continue
      words += node.data.match(/\\p{L}+/gu)?.length ?? 0
      const range = document.createRange()
      range.selectNodeContents(node)
      isBeside ||= [...range.getClientRects()].some(({ top, bottom }) =>
        lines.some((line) => top < line.bottom - 2 && bottom > line.top + 2))
    }
    return isBeside && words >= ${MIN_SENTENCE_WORDS}
  }
  return [...document.querySelectorAll(TARGETS)].flatMap((element) => {
    if (!isShown(element) || element.disabled || getComputedStyle(element).pointerEvents === 'none') return []
    // A tap on a label activates its field.
    const labels = [...(element.labels ?? [])].filter(isShown)
    const { width, height } = unite([element, ...labels].map((part) => part.getBoundingClientRect()))
    // Visually hidden elements are for screen readers and keyboards.
    if (width <= 1 || height <= 1 || (width >= MIN && height >= MIN) || isInText(element)) return []
    const name = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replaceAll(/\\s+/g, ' ').slice(0, 40)
    return [element.localName + '.' + (element.getAttribute('class') ?? '') + ' "' + name + '" ' + Math.round(width * 10) / 10 + ' × ' + Math.round(height * 10) / 10]
  })
})()`

export const smallTargets = (tab: Page): Promise<string[]> => tab.evaluate<string[]>(SMALL_TARGETS)
