const height = 32

/** The course of a number without its figures, which stand beside it. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null)
  const highest = Math.max(...known, 0) || 1
  const points = values
    .flatMap((value, index) =>
      value === null ? [] : [`${index},${(height - 2 - ((height - 4) * value) / highest).toFixed(1)}`],
    )
    .join(' ')
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${Math.max(1, values.length - 1)} ${height}`}
      preserveAspectRatio="none"
      className="h-8 w-full"
    >
      <polyline
        points={points}
        fill="none"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
        style={{ stroke: 'var(--chart-1)' }}
      />
    </svg>
  )
}
