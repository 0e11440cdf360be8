import type { Page } from 'playwright-core'

/** Runs in the page: returns all tab stops in document order. */
const STOPS = `Array.from(document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')).filter((each) => {
  if (each.tabIndex < 0 || each.disabled || !each.checkVisibility({ visibilityProperty: true })) return false
  if (each.type !== 'radio') return true
  const group = [...document.getElementsByName(each.name)]
  return each.checked || (!group.some(({ checked }) => checked) && group[0] === each)
})`

const nameOf = '(each) => each.id || each.name || each.textContent.trim()'

/** Longer pages only repeat similar fields. */
const MAX_STOPS = 70

/**
 * Presses Tab through a page with a form, and returns where the focus order is wrong or the focus is not visible. A field
 * with several parts, such as a date, counts once.
 */
export async function faultsOfWalk(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("document.querySelector('main form') !== null"))) return []
  const expected = await page.evaluate<string[]>(`
    document.body.tabIndex = -1
    document.body.focus()
    globalThis.walked = []
    globalThis.unseen = []
    document.addEventListener('focusin', ({ target }) => {
      const hasRing = [getComputedStyle(target), getComputedStyle(target, '::after')].some(
        ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
      )
      walked.push((${nameOf})(target))
      if (!hasRing) unseen.push((${nameOf})(target))
    })
    ${STOPS}.map(${nameOf}).slice(0, ${MAX_STOPS})
  `)
  // A date field has four parts, each with its own tab stop.
  for (let press = 0; press < expected.length * 5; press++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate<number>('walked.length')) >= expected.length) break
  }
  const walked = await page.evaluate<string[]>('walked')
  const firstWrong = walked.findIndex((name, index) => name !== expected[index])
  const unseen = await page.evaluate<string[]>('unseen')
  return [
    ...(walked.length < expected.length ? [`ends after ${walked.at(-1)}`] : []),
    ...(firstWrong < 0 ? [] : [`${walked[firstWrong]} instead of ${expected[firstWrong]}`]),
    ...unseen.map((name) => `${name} does not show the focus`),
  ]
}

/** Field errors without a field, invalid fields without an error, and summary links without a target. */
export const looseFaults = (page: Page) =>
  page.evaluate<string[]>(`[
    ...[...document.querySelectorAll('.field-error')]
      .filter(({ id }) => !id || !document.querySelector('[aria-describedby~="' + CSS.escape(id) + '"]'))
      .map(({ textContent }) => 'no field is described by: ' + textContent),
    ...[...document.querySelectorAll('[aria-describedby]')]
      .filter((each) => each.getAttribute('aria-describedby').split(' ').some((id) => !document.getElementById(id)))
      .map(({ id }) => id + ' has a missing description'),
    ...[...document.querySelectorAll('[aria-invalid]')]
      .filter((each) => !each.getAttribute('aria-describedby')?.includes('-error'))
      .map(({ id }) => id + ' is invalid without an error'),
    ...[...document.querySelectorAll('.summary a')]
      .filter(({ hash }) => !document.getElementById(decodeURIComponent(hash.slice(1))))
      .map(({ textContent }) => 'link without a target: ' + textContent),
    ...[...document.querySelectorAll('main :is(input:not([type=hidden]), select, textarea):not([aria-hidden])')]
      .filter((each) => each.labels.length === 0)
      .map(({ id, name }) => (id || name) + ' has no label'),
  ]`)
