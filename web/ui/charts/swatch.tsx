/** A piece of what is drawn: a block, a line with its mark, or dashes for the previous period. */
export function Swatch({ colour, kind }: { colour: number; kind: string }) {
  if (colour === 0)
    return (
      <svg aria-hidden="true" width="16" height="8">
        <line x1="0" x2="16" y1="4" y2="4" className="stroke-2 stroke-muted" strokeDasharray="4 3" />
      </svg>
    )
  return kind === 'columns' ? (
    <span aria-hidden="true" className="size-2.5 rounded-xs" style={{ backgroundColor: `var(--chart-${colour})` }} />
  ) : (
    <svg aria-hidden="true" width="16" height="8">
      <line x1="0" x2="16" y1="4" y2="4" strokeWidth="2" style={{ stroke: `var(--chart-${colour})` }} />
      {colour === 1 ? (
        <circle cx="8" cy="4" r="3" style={{ fill: `var(--chart-${colour})` }} />
      ) : (
        <rect x="5" y="1" width="6" height="6" style={{ fill: `var(--chart-${colour})` }} />
      )}
    </svg>
  )
}
