import { type ChartTable, toCsv } from '#web/ui/charts/chart-table.ts'

/** Saves a table as a file. @param name without extension */
export function downloadCsv(name: string, table: ChartTable): void {
  const url = URL.createObjectURL(new Blob([toCsv(table)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  // The browser has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
