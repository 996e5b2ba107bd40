import type { Plot, TimeSeries } from './plot.ts'

/** Columns on top of each other, the first at the bottom, with a gap between them that shows without any colour. */
export function Columns({ series, plot }: { series: readonly TimeSeries[]; plot: Plot }) {
  const count = Math.max(0, ...series.map(({ values }) => values.length))
  const width = Math.max(1, Math.min(plot.step * 0.76, 36))
  return Array.from({ length: count }, (_, index) => index).map((index) => {
    let below = 0
    return (
      <g key={index}>
        {series.map(({ label, colour, values }) => {
          const value = values[index] ?? 0
          if (value <= 0) return null
          const bottom = plot.y(below) - (below > 0 ? 1 : 0)
          below += value
          const top = plot.y(below)
          return (
            <rect
              key={label}
              x={plot.x(index) - width / 2}
              y={top}
              width={width}
              height={Math.max(0.5, bottom - top)}
              rx={Math.min(1.5, width / 4)}
              style={{ fill: `var(--chart-${colour})` }}
            />
          )
        })}
      </g>
    )
  })
}
