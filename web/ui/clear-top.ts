/** What a toast must not lie over, in pixels of the window. */
export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const gapPixels = 8

/**
 * The uppermost place for a toast that covers none of the boxes.
 *
 * @param start where it would stand if there were none; again the answer when all below is covered
 */
export function findClearTop(
  toast: { left: number; right: number; height: number },
  boxes: readonly Box[],
  start: number,
  windowHeight: number,
): number {
  const beside = boxes
    .filter(({ left, right }) => left < toast.right && right > toast.left)
    .sort((a, b) => a.top - b.top)
  let top = start
  for (const box of beside) {
    if (box.bottom > top && box.top < top + toast.height) top = box.bottom + gapPixels
  }
  return top + toast.height <= windowHeight ? top : start
}
