import type { Area } from '../loader/modules.ts'

/** Where an area is in the window, without the scroll bars: left, top, width, height. */
export function measureArea(area: Area): readonly [number, number, number, number] {
  const { clientWidth, clientHeight, scrollWidth, scrollHeight } = document.documentElement
  if (area === 'viewport') return [0, 0, clientWidth, clientHeight]
  if (area === 'page') return [-scrollX, -scrollY, scrollWidth, scrollHeight]
  const { x, y, width, height } = area.getBoundingClientRect()
  return [x, y, width, height]
}
