import type { ReactNode } from 'react'
import { formatBytes } from '#web/shared/format-bytes.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { sumBytes, type TrialLog } from './trial-log.ts'

const states = {
  loading: { tone: 'neutral', label: 'Loading' },
  shown: { tone: 'success', label: 'Widget loaded' },
  failed: { tone: 'danger', label: 'Not loaded' },
} as const

const formatMs = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)

/** What the widget loaded, asked and said. */
export function TrialResults({ log }: { log: TrialLog }) {
  const { state, shownAtMs, files, calls, events } = log
  return (
    <>
      <Card aria-labelledby="files-title">
        <CardHeader>
          <div className="flex flex-wrap items-center gap-2">
            <CardTitle id="files-title">Loaded files</CardTitle>
            <Badge tone={states[state].tone}>{states[state].label}</Badge>
          </div>
          <CardDescription>
            {files.length === 1 ? '1 file' : `${files.length} files`}, {formatBytes(sumBytes(log))} compressed
            {shownAtMs !== undefined && `, ready after ${formatMs(shownAtMs)}`}.
          </CardDescription>
        </CardHeader>
        <Rows
          label="Loaded files"
          columns={['File', 'Size', 'Started', 'Time']}
          empty="No files yet."
          rows={files.map(({ name, bytes, isCached, atMs, durationMs }) => [
            name,
            isCached ? `${formatBytes(bytes)}, cached` : formatBytes(bytes),
            formatMs(atMs),
            formatMs(durationMs),
          ])}
        />
      </Card>
      <Card aria-labelledby="calls-title">
        <CardHeader>
          <CardTitle id="calls-title">Requests</CardTitle>
          <CardDescription>Each request of the widget with the server’s answer.</CardDescription>
        </CardHeader>
        <Rows
          label="Requests"
          columns={['Request', 'Status', 'Time', 'Answer']}
          empty="No requests yet. Open the panel and send feedback."
          rows={calls.map(({ name, status, durationMs, answer }) => [
            name,
            status === 0 ? 'No answer' : String(status),
            formatMs(durationMs),
            answer === '' ? '–' : answer,
          ])}
        />
      </Card>
      <Card aria-labelledby="events-title">
        <CardHeader>
          <CardTitle id="events-title">Events</CardTitle>
          <CardDescription>Events that the widget sends to the page’s listeners.</CardDescription>
        </CardHeader>
        <Rows
          label="Events"
          columns={['Event', 'Started', 'Detail']}
          empty="No events yet."
          rows={events.map(({ name, atMs, detail }) => [name, formatMs(atMs), detail === '' ? '–' : detail])}
        />
      </Card>
    </>
  )
}

function Rows({
  label,
  columns,
  rows,
  empty,
}: {
  label: string
  columns: readonly string[]
  rows: readonly (readonly string[])[]
  empty: ReactNode
}) {
  if (rows.length === 0) return <p className="p-5 text-base text-muted">{empty}</p>
  return (
    <section
      aria-label={`${label}, table`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
      tabIndex={0}
      className="mt-4 max-h-72 overflow-auto border-border border-t focus-visible:outline-offset-[-2px]"
    >
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="sticky top-0 whitespace-nowrap bg-sunken px-4 py-2 text-left font-medium text-muted"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end
            <tr key={index} className="border-border [&:not(:last-child)]:border-b">
              {cells.map((cell, column) => (
                <td
                  key={columns[column]}
                  className="max-w-md px-4 py-1.5 align-top tabular-nums first:break-all [&:not(:first-child)]:whitespace-nowrap"
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
