import type { Point } from '../../../../lib/sphere.ts'

export function ringsIn(buffer: ArrayBufferLike): Point[][]
