import { useQuery } from '@tanstack/react-query'
import { type Import, listImportProblems } from '#contract/imports.ts'
import { call } from '#web/lib/api.ts'
import { locale } from '#web/lib/locale.ts'
import { Button } from '#web/ui/button.tsx'
import { isRunning } from './transfer-queries.ts'

/** The rows of an import that cannot be items, each with its reason. */
export function Problems({ organizationId, item }: { organizationId: string; item: Import }) {
  const problems = useQuery({
    queryKey: ['import-problems', organizationId, item.id, item.state, item.refused],
    queryFn: () => call(listImportProblems, { params: { organizationId, importId: item.id } }),
    enabled: !isRunning(item),
  })
  const items = problems.data?.items ?? []
  if (items.length === 0) return null
  const save = () => {
    const text = `row\treason\n${items.map(({ row, reason }) => `${row}\t'${reason}`).join('\n')}\n`
    const address = URL.createObjectURL(new Blob([text], { type: 'text/tab-separated-values' }))
    const link = document.createElement('a')
    link.href = address
    link.download = 'rows-left-out.tsv'
    link.click()
    URL.revokeObjectURL(address)
  }
  return (
    <section aria-label="Rows that can’t be imported" className="flex flex-col gap-2">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <ul tabIndex={0} className="max-h-48 overflow-y-auto rounded-md border border-border p-3 text-sm">
        {items.slice(0, 100).map(({ row, reason }) => (
          <li key={row} className="break-words">
            Row {row}: <bdi>{reason}</bdi>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button variant="secondary" size="sm" onClick={save}>
          Download errors
        </Button>
        {item.refused > items.length && (
          <span className="text-muted text-sm">It holds the first {items.length.toLocaleString(locale)} rows.</span>
        )}
      </div>
    </section>
  )
}
