import { describe, expect, test } from 'vitest'
import { lru } from '../../src/lib/lru.ts'

describe('the cache', () => {
  test('forgets what was not used for longest', () => {
    const cache = lru<number>(2, () => 1)
    cache.set('a', 1)
    cache.set('b', 2)
    cache.get('a')
    cache.set('c', 3)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
  })

  test('counts a value that is written again as used, and keeps the new one', () => {
    const cache = lru<number>(2, () => 1)
    cache.set('a', 1)
    cache.set('b', 2)
    cache.set('a', 10)
    cache.set('c', 3)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([10, undefined, 3])
  })

  test('holds no more than its capacity', () => {
    const cache = lru<number>(100, () => 1)
    for (let n = 0; n < 1000; n++) cache.set(`key ${n}`, n)
    const found = Array.from({ length: 1000 }, (_, n) => cache.get(`key ${n}`)).filter((value) => value !== undefined)
    expect(found).toHaveLength(100)
  })

  test('is empty after clear', () => {
    const cache = lru<number>(2, () => 1)
    cache.set('a', 1)
    cache.clear()
    expect(cache.get('a')).toBeUndefined()
  })

  test('counts bytes: a large value takes the place of several, one that is too large is not kept and drives nothing out', () => {
    const cache = lru<string>(5, (text) => text.length)
    const kept = () => ['a', 'b', 'c', 'd'].map((key) => cache.get(key))
    cache.set('a', 'xx')
    cache.set('b', 'x')
    cache.set('c', 'xx')
    expect(kept()).toEqual(['xx', 'x', 'xx', undefined])
    cache.set('a', 'xxx')
    expect(kept()).toEqual(['xxx', undefined, 'xx', undefined])
    cache.set('d', 'xxxxxx')
    expect(kept()).toEqual(['xxx', undefined, 'xx', undefined])
    cache.delete('c')
    cache.delete('never there')
    cache.set('d', 'xx')
    expect(kept()).toEqual(['xxx', undefined, undefined, 'xx'])
    cache.set('a', 'xxxxxx')
    expect(kept()).toEqual([undefined, undefined, undefined, 'xx'])
    cache.set('a', 'xxxxx')
    expect(kept()).toEqual(['xxxxx', undefined, undefined, undefined])
    cache.clear()
    cache.set('b', 'xxxxx')
    expect(kept()).toEqual([undefined, 'xxxxx', undefined, undefined])
  })
})
