import { useQuery } from '@tanstack/react-query'
import { type Import, type ImportProblem, listImportProblems } from '#contract/imports.ts'
import { call } from '#web/lib/api.ts'
import { locale } from '#web/lib/locale.ts'
import { Button } from '#web/ui/button.tsx'
import { isRunning } from './transfer-queries.ts'

/** The rows that cannot be items, and the values that rows lose, each with its reason. */
export function Problems({ organizationId, item }: { organizationId: string; item: Import }) {
  const problems = useQuery({
    queryKey: ['import-problems', organizationId, item.id, item.state, item.refused, item.incomplete],
    queryFn: () => call(listImportProblems, { params: { organizationId, importId: item.id } }),
    enabled: !isRunning(item),
  })
  const items = problems.data?.items ?? []
  if (items.length === 0) return null
  return (
    <>
      <ProblemList label="Rows that can’t be imported" items={items.filter(({ isRowLeftOut }) => isRowLeftOut)} />
      <ProblemList label="Values that are left out" items={items.filter(({ isRowLeftOut }) => !isRowLeftOut)} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button variant="secondary" size="sm" onClick={() => save(items)}>
          Download errors
        </Button>
        {item.refused + item.incomplete > items.length && (
          <span className="text-muted text-sm">It contains the first {items.length.toLocaleString(locale)} rows.</span>
        )}
      </div>
    </>
  )
}

function save(items: readonly ImportProblem[]): void {
  const lines = items.map(({ row, reason, isRowLeftOut }) => `${row}\t${isRowLeftOut ? 'row' : 'values'}\t'${reason}`)
  const text = `row\tleft out\treason\n${lines.join('\n')}\n`
  const address = URL.createObjectURL(new Blob([text], { type: 'text/tab-separated-values' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'rows-left-out.tsv'
  link.click()
  URL.revokeObjectURL(address)
}

function ProblemList({ label, items }: { label: string; items: readonly ImportProblem[] }) {
  if (items.length === 0) return null
  return (
    <section aria-label={label} className="flex flex-col gap-2">
      <h3 className="font-medium text-base">{label}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <ul tabIndex={0} className="max-h-60 overflow-y-auto rounded-md border border-border p-3 text-sm">
        {items.slice(0, 100).map(({ row, reason }) => (
          <li key={row} className="break-words">
            Row {row}: <bdi>{reason}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}
