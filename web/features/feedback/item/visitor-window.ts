import { findSafeHref } from './page-link.ts'

/** Sizes beyond these are no windows of people. In CSS pixels. */
const minPixels = 100
const maxPixels = 10_000

/** A page, and the size of the window in which the visitor saw it, in CSS pixels. */
export interface VisitorWindow {
  href: string
  width: number
  height: number
}

/**
 * The visitor's page and window, if the page is safe to open and the size is known. Visitors can send any address and
 * any context.
 */
export function findVisitorWindow(
  pageUrl: string,
  context: Readonly<Record<string, unknown>>,
): VisitorWindow | undefined {
  const href = findSafeHref(pageUrl)
  const { viewport } = context
  if (href === undefined || typeof viewport !== 'object' || viewport === null) return undefined
  // Narrowed to an object; each value is unknown.
  const { width, height } = viewport as Record<string, unknown>
  return isPixels(width) && isPixels(height)
    ? { href, width: Math.round(width), height: Math.round(height) }
    : undefined
}

function isPixels(value: unknown): value is number {
  return typeof value === 'number' && value >= minPixels && value <= maxPixels
}

/** Opens a visitor's page in a window of that size. The page learns nothing of ours. */
export function openVisitorWindow({ href, width, height }: VisitorWindow): void {
  window.open(href, '_blank', `popup,noopener,noreferrer,width=${width},height=${height}`)
}
