import type { Area } from '../loader/modules.ts'

/** Part of the page, in its own coordinates. */
export interface Part {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Not all of it is in sight. */
  readonly isBeyond: boolean
}

/** Where an area is, without the scroll bars. */
export function measureArea(area: Area): Part {
  const { clientWidth, clientHeight, scrollWidth, scrollHeight } = document.documentElement
  if (area === 'viewport')
    return { left: scrollX, top: scrollY, width: clientWidth, height: clientHeight, isBeyond: false }
  if (area === 'page') return { left: 0, top: 0, width: scrollWidth, height: scrollHeight, isBeyond: true }
  const { left, top, right, bottom, width, height } = area.getBoundingClientRect()
  const isBeyond = top < 0 || left < 0 || bottom > clientHeight || right > clientWidth
  return { left: left + scrollX, top: top + scrollY, width, height, isBeyond }
}
