/** Where rows and headings of a list stand, in pixels from its top. */
export interface RowPlaces {
  /** Of rows. */
  readonly count: number
  readonly rowHeight: number
  /** 0 in a list without groups. */
  readonly headingHeight: number
  readonly heightPixels: number
  readonly topOf: (index: number) => number
  /** The row at a height or, where a heading stands, the row before it; beyond the list, a row that there is not. */
  readonly findRow: (pixels: number) => number
  /** The groups with their own part of the list. */
  readonly groups: readonly GroupPlace[]
}

export interface GroupPlace {
  /** Index of its first row. */
  readonly first: number
  readonly rows: number
  readonly top: number
}

/**
 * Places rows of one height, and above each group a heading of another.
 *
 * @param groups numbers of rows of each group, which together are all; undefined: no groups
 */
export function placeRows(
  count: number,
  rowHeight: number,
  headingHeight: number,
  groups: readonly number[] | undefined,
): RowPlaces {
  if (groups === undefined) {
    return {
      count,
      rowHeight,
      headingHeight: 0,
      heightPixels: count * rowHeight,
      topOf: (index) => index * rowHeight,
      findRow: (pixels) => Math.floor(pixels / rowHeight),
      groups: [],
    }
  }
  let first = 0
  let top = 0
  const places = groups.map((rows): GroupPlace => {
    const place = { first, rows, top }
    first += rows
    top += headingHeight + rows * rowHeight
    return place
  })
  // Of several that begin with the same row, the last is the one that has it.
  const groupOf = (index: number) => places.findLast((place) => place.first <= index)
  return {
    count,
    rowHeight,
    headingHeight,
    heightPixels: top,
    topOf: (index) => {
      const group = groupOf(index)
      return group ? group.top + headingHeight + (index - group.first) * rowHeight : 0
    },
    findRow: (pixels) => {
      const group = places.findLast((place) => place.top <= pixels)
      if (!group) return 0
      const within = Math.floor((pixels - group.top - headingHeight) / rowHeight)
      return (
        group.first +
        Math.min(Math.max(within, -1), group === places.at(-1) ? Number.POSITIVE_INFINITY : group.rows - 1)
      )
    },
    groups: places,
  }
}
