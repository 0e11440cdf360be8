import { test } from 'vitest'
import { checkFilters } from '../../support/random-filters.ts'

test('a thousand random filters return each flight exactly once in pages of 7, in both orders', () =>
  checkFilters(1000))
