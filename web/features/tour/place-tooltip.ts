/** SPEC.md, section 9, in pixels. */
export const tooltipWidth = 320
const tooltipOffset = 16
const highlightPadding = 4
/** Kept free at the edges of the window. */
const edge = 12

type Box = Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>

/** The box around a target, with its padding. */
export function padTarget({ left, top, width, height }: Box): Box {
  return {
    left: left - highlightPadding,
    top: top - highlightPadding,
    width: width + 2 * highlightPadding,
    height: height + 2 * highlightPadding,
  }
}

/**
 * Where the tooltip stands: beside its target where there is room, else below or above it, else in the middle.
 *
 * @param target undefined: the step is about nothing in view.
 */
export function placeTooltip(
  target: Box | undefined,
  tooltip: { readonly width: number; readonly height: number },
  view: { readonly width: number; readonly height: number },
): { left: number; top: number } {
  const clamp = (value: number, size: number, space: number) => Math.max(edge, Math.min(value, space - size - edge))
  if (!target) {
    return {
      left: clamp((view.width - tooltip.width) / 2, tooltip.width, view.width),
      top: clamp((view.height - tooltip.height) / 2, tooltip.height, view.height),
    }
  }
  const right = target.left + target.width + tooltipOffset
  if (right + tooltip.width + edge <= view.width) {
    return { left: right, top: clamp(target.top, tooltip.height, view.height) }
  }
  const left = clamp(target.left + (target.width - tooltip.width) / 2, tooltip.width, view.width)
  const below = target.top + target.height + tooltipOffset
  if (below + tooltip.height + edge <= view.height) return { left, top: below }
  return { left, top: clamp(target.top - tooltip.height - tooltipOffset, tooltip.height, view.height) }
}
