import { test } from 'vitest'
import { checkFilters } from '../../support/random-filters.ts'

test('a thousand random filters through pages of 7 give each flight exactly once, in both orders', () =>
  checkFilters(1000))
