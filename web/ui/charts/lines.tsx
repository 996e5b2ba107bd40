import type { Plot, TimeSeries } from './plot.ts'

// More marks than this are a line themselves.
const maxMarks = 60

/** A line for each series, broken where there is no value. Marks differ, so that lines are distinct without colours. */
export function Lines({
  series,
  plot,
  isPrevious = false,
}: {
  series: readonly TimeSeries[]
  plot: Plot
  isPrevious?: boolean
}) {
  return series.map(({ label, colour, values }, order) => {
    const points = values.flatMap((value, index) =>
      value === null ? [] : [{ index, x: plot.x(index), y: plot.y(value) }],
    )
    const path = points
      .map(({ index, x, y }, at) => `${points[at - 1]?.index === index - 1 ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`)
      .join('')
    if (isPrevious) {
      return <path key={label} d={path} fill="none" className="stroke-[1.5] stroke-muted" strokeDasharray="4 3" />
    }
    const colourOf = `var(--chart-${colour})`
    const isAlone = (at: number) =>
      points[at - 1]?.index !== (points[at]?.index ?? 0) - 1 && points[at + 1]?.index !== (points[at]?.index ?? 0) + 1
    return (
      <g key={label}>
        <path d={path} fill="none" strokeWidth="2" strokeLinejoin="round" style={{ stroke: colourOf }} />
        {points.map(({ index, x, y }, at) =>
          points.length > maxMarks && !isAlone(at) ? null : order === 0 ? (
            <circle key={index} cx={x} cy={y} r="2.5" style={{ fill: colourOf }} />
          ) : (
            <rect key={index} x={x - 2.5} y={y - 2.5} width="5" height="5" style={{ fill: colourOf }} />
          ),
        )}
      </g>
    )
  })
}
