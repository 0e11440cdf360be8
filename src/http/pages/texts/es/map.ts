import type { map as source } from '../en/map.ts'
import type { Translation } from '../message.ts'

export const map: Translation<typeof source> = {
  title: 'Mapa',
}
