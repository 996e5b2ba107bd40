import type { Area } from '../loader/modules.ts'

/** Where an area is on the page, without the scroll bars, in the page's own coordinates. */
export function measureArea(area: Area): DOMRect {
  const { clientWidth, clientHeight, scrollWidth, scrollHeight } = document.documentElement
  if (area === 'viewport') return new DOMRect(scrollX, scrollY, clientWidth, clientHeight)
  if (area === 'page') return new DOMRect(0, 0, scrollWidth, scrollHeight)
  const box = area.getBoundingClientRect()
  box.x += scrollX
  box.y += scrollY
  return box
}
