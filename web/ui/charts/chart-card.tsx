import { ArrowDownRight, ArrowRight, ArrowUpRight, ChartColumn, Download, Table } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { cn } from '../class-names.ts'
import type { Change } from './change.ts'
import { type ChartTable, toCsv } from './chart-table.ts'
import { formatCell } from './format-cell.ts'

interface ChartCardProps {
  title: string
  /** What the title leaves out: of which items, until when. */
  description?: string
  /** The number that matters, and what it was. */
  figure?: ReactNode
  change?: Change | undefined
  /** Of the figure, e.g. `90 % within 3 days`. */
  detail?: ReactNode
  table: ChartTable
  /** Without extension. */
  fileName: string
  /** Nothing to show: this is said instead. */
  empty?: ReactNode
  controls?: ReactNode
  className?: string
  children: ReactNode
}

/** A chart with its title, its number beside the previous period's, and the same as a table or a file. */
export function ChartCard(props: ChartCardProps) {
  const { title, description, figure, change, detail, table, fileName, empty, controls, className, children } = props
  const [isTable, setTable] = useState(false)
  const titleId = useId()
  return (
    <Card aria-labelledby={titleId} className={cn('flex min-w-0 flex-col', className)}>
      <div className="flex items-start gap-2 px-5 pt-4">
        <div className="min-w-0 flex-1">
          <h3 id={titleId} className="font-semibold text-base">
            {title}
          </h3>
          {description !== undefined && <p className="text-muted text-sm">{description}</p>}
        </div>
        {empty === undefined && (
          <div className="-mr-2 -mt-1 flex shrink-0">
            <Button
              variant="ghost"
              size="icon-sm"
              aria-pressed={isTable}
              aria-label={`${title}: show as table`}
              title={isTable ? 'Show as chart' : 'Show as table'}
              onClick={() => setTable(!isTable)}
            >
              {isTable ? <ChartColumn aria-hidden="true" /> : <Table aria-hidden="true" />}
            </Button>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={`${title}: download as CSV`}
              title="Download as CSV"
              onClick={() => download(`${fileName}.csv`, toCsv(table))}
            >
              <Download aria-hidden="true" />
            </Button>
          </div>
        )}
      </div>
      {figure !== undefined && empty === undefined && (
        <p className="flex flex-wrap items-baseline gap-x-3 px-5 pt-2">
          <span className="font-semibold text-2xl tabular-nums">{figure}</span>
          {change && <ChangeMark change={change} />}
          {detail !== undefined && <span className="text-muted text-sm">{detail}</span>}
        </p>
      )}
      {empty === undefined && controls !== undefined && <div className="px-5 pt-3">{controls}</div>}
      <div className="min-w-0 flex-1 p-5 pt-4">
        {empty !== undefined ? (
          <div className="flex min-h-24 flex-wrap items-center justify-center gap-x-3 text-center text-base text-muted">
            {empty}
          </div>
        ) : isTable ? (
          <DataTable title={title} table={table} />
        ) : (
          children
        )}
      </div>
    </Card>
  )
}

const arrows = { up: ArrowUpRight, down: ArrowDownRight, same: ArrowRight }

/** Neither red nor green: whether more is better, only the team can say. */
export function ChangeMark({ change: { text, direction } }: { change: Change }) {
  const Arrow = arrows[direction]
  return (
    <span className="inline-flex items-center gap-0.5 text-muted text-sm" title="Compared with the previous period">
      <Arrow aria-hidden="true" className="size-3.5 self-center" />
      {text}
      <span className="sr-only"> compared with the previous period</span>
    </span>
  )
}

function DataTable({ title, table }: { title: string; table: ChartTable }) {
  return (
    <section
      aria-label={`${title}, table`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-md border border-border"
    >
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr>
            {table.columns.map((column, index) => (
              <th
                key={column}
                scope="col"
                className={cn(
                  'sticky top-0 whitespace-nowrap border-border border-b bg-sunken px-3 py-2 font-medium text-muted',
                  index === 0 ? 'text-left' : 'text-right',
                )}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(({ label, cells, href }) => (
            <tr key={label} className="border-border [&:not(:last-child)]:border-b">
              <th scope="row" className="min-w-36 max-w-72 break-words px-3 py-1.5 text-left font-normal">
                {href === undefined ? (
                  <bdi>{label}</bdi>
                ) : (
                  <Link
                    to={href}
                    className="rounded-sm text-accent-text hover:underline pointer-coarse:block pointer-coarse:py-2.5"
                  >
                    <bdi>{label}</bdi>
                  </Link>
                )}
              </th>
              {cells.map((cell, index) => (
                <td key={table.columns[index + 1]} className="whitespace-nowrap px-3 py-1.5 text-right tabular-nums">
                  {cell === null ? '–' : typeof cell === 'number' ? formatCell(cell) : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
