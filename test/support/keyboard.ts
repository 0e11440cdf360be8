import type { Page } from 'playwright-core'

/** Run in the page: gives everything that Tab stops at, in the order of the document. */
const STOPS = `Array.from(document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')).filter((each) => {
  if (each.tabIndex < 0 || each.disabled || !each.checkVisibility({ visibilityProperty: true })) return false
  if (each.type !== 'radio') return true
  const group = [...document.getElementsByName(each.name)]
  return each.checked || (!group.some(({ checked }) => checked) && group[0] === each)
})`

const nameOf = '(each) => each.id || each.name || each.textContent.trim()'

/** A longer list is more of the same. */
const ENOUGH = 70

/**
 * Presses Tab from the beginning of a page that has a form to its end, and tells where the focus goes astray or cannot be
 * seen. A field of several parts, such as a day, counts once.
 */
export async function faultsOfWalk(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("document.querySelector('main form') !== null"))) return []
  const wanted = await page.evaluate<string[]>(`
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
    ${STOPS}.map(${nameOf}).slice(0, ${ENOUGH})
  `)
  // A day has four parts, and each is a stop of its own.
  for (let press = 0; press < wanted.length * 5; press++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate<number>('walked.length')) >= wanted.length) break
  }
  const walked = await page.evaluate<string[]>('walked')
  const astray = walked.findIndex((name, index) => name !== wanted[index])
  const unseen = await page.evaluate<string[]>('unseen')
  return [
    ...(walked.length < wanted.length ? [`ends after ${walked.at(-1)}`] : []),
    ...(astray < 0 ? [] : [`${walked[astray]} instead of ${wanted[astray]}`]),
    ...unseen.map((name) => `${name} does not show the focus`),
  ]
}

/** Sentences about a fault that no field is tied to, fields that are tied to none, and links of a summary that lead nowhere. */
export const looseFaults = (page: Page) =>
  page.evaluate<string[]>(`[
    ...[...document.querySelectorAll('.field-error')]
      .filter(({ id }) => !id || !document.querySelector('[aria-describedby~="' + CSS.escape(id) + '"]'))
      .map(({ textContent }) => 'nothing is described by: ' + textContent),
    ...[...document.querySelectorAll('[aria-describedby]')]
      .filter((each) => each.getAttribute('aria-describedby').split(' ').some((id) => !document.getElementById(id)))
      .map(({ id }) => id + ' is described by nothing'),
    ...[...document.querySelectorAll('[aria-invalid]')]
      .filter((each) => !each.getAttribute('aria-describedby')?.includes('fault'))
      .map(({ id }) => id + ' is wrong without a reason'),
    ...[...document.querySelectorAll('.summary a')]
      .filter(({ hash }) => !document.getElementById(decodeURIComponent(hash.slice(1))))
      .map(({ textContent }) => 'leads nowhere: ' + textContent),
    ...[...document.querySelectorAll('main :is(input:not([type=hidden]), select, textarea):not([aria-hidden])')]
      .filter((each) => each.labels.length === 0)
      .map(({ id, name }) => (id || name) + ' has no label'),
  ]`)
