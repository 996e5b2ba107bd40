import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/audit.ts'
import { auditFieldNames } from '#contract/audited-events.ts'
import { describeBrowser } from '#contract/describe-browser.ts'
import type { InstanceAuditEntry } from '#contract/superadmin-audit.ts'
import { describeAuditFact, wordAuditEntry } from '#contract/word-audit-entry.ts'
import { formatFullTime } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import type { AuditSearch } from './audit-search.ts'
import { categoryLabels } from './category-labels.tsx'
import { nilId } from './nil-id.ts'

/** An entry of an organisation's log, or of the instance's with its organisation. */
export type ListedEntry = AuditEntry | InstanceAuditEntry

interface RowProps {
  entry: ListedEntry
  onFilter: (change: Partial<AuditSearch>) => void
}

/** One entry: a sentence, and opened its facts. */
export function AuditRow({ entry, onFilter }: RowProps) {
  const { label, icon: Icon } = categoryLabels[entry.category]
  return (
    <details className="group">
      <summary className="flex cursor-default list-none items-start gap-3 px-4 py-3 dense:py-1.5 text-base hover:bg-hover focus-visible:outline-offset-[-2px] [&::-webkit-details-marker]:hidden">
        <span title={label} className="mt-1 shrink-0 text-muted">
          <Icon aria-hidden="true" className="size-4" />
        </span>
        <span className="min-w-0 flex-1 leading-6 [overflow-wrap:anywhere]">
          {wordAuditEntry(entry).map(({ text, isName }, index) =>
            isName ? (
              // The pieces of a sentence never change their order.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <bdi key={index} className="font-medium">
                {text}
              </bdi>
            ) : (
              text
            ),
          )}
        </span>
        {'organization' in entry && (
          <bdi className="max-w-48 shrink-0 truncate text-muted text-sm leading-6 max-sm:hidden">
            {entry.organization === null ? 'Instance' : (entry.organization.name ?? 'Deleted organisation')}
          </bdi>
        )}
        <RelativeTime iso={entry.createdAt} className="shrink-0 text-muted text-sm leading-6" />
        <ChevronRight
          aria-hidden="true"
          className="mt-1 size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
        />
      </summary>
      <EntryDetails entry={entry} onFilter={onFilter} />
    </details>
  )
}

function EntryDetails({ entry, onFilter }: RowProps) {
  const { actor, target } = entry
  return (
    <div className="flex flex-col gap-4 border-border border-t bg-sunken px-4 py-4 sm:pl-11">
      <Changes entry={entry} />
      <dl className="grid grid-cols-[7rem_1fr] gap-x-4 gap-y-2 text-base sm:grid-cols-[10rem_1fr]">
        <Detail name="Time">
          <time dateTime={entry.createdAt}>{formatFullTime(entry.createdAt)}</time>
        </Detail>
        {'organization' in entry && (
          <Detail name="Organisation">
            {entry.organization === null ? 'None: the instance' : (entry.organization.name ?? entry.organization.id)}
          </Detail>
        )}
        <Detail name="Category">{categoryLabels[entry.category].label}</Detail>
        <Detail name="IP address">{entry.ip}</Detail>
        <Detail name="Browser">
          {entry.userAgent !== null && (
            <span title={entry.userAgent}>{describeBrowser(entry.userAgent) ?? entry.userAgent}</span>
          )}
        </Detail>
        <Detail name="Request ID">
          {entry.requestId !== null && (
            <span className="-my-1.5 flex items-center gap-1">
              <code className="min-w-0 text-sm">{entry.requestId}</code>
              <CopyButton iconOnly variant="ghost" size="icon-sm" text={entry.requestId} label="Copy request ID" />
            </span>
          )}
        </Detail>
        {entry.cause !== null && (
          <Detail name="Background job">
            <code className="text-sm">{entry.cause}</code>
          </Detail>
        )}
      </dl>
      <div className="flex flex-wrap gap-2">
        {actor.id !== null && (
          <Button variant="secondary" size="sm" onClick={() => onFilter({ actor: actor.id ?? '' })}>
            Filter by this actor
          </Button>
        )}
        {target.id !== null && target.id !== actor.id && (
          <Button variant="secondary" size="sm" onClick={() => onFilter({ target: target.id ?? '' })}>
            Filter by this target
          </Button>
        )}
        {'organization' in entry && (
          <Button
            variant="secondary"
            size="sm"
            onClick={() => onFilter({ organization: entry.organization?.id ?? nilId })}
          >
            {entry.organization === null ? 'Only changes of the instance' : 'Filter by this organisation'}
          </Button>
        )}
      </div>
    </div>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  const isKnown = children !== null && children !== false
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">
        {isKnown ? children : <span className="text-muted">Not recorded</span>}
      </dd>
    </>
  )
}

/** The facts of an entry, in two columns where they replaced others. */
function Changes({ entry: { before, after } }: { entry: ListedEntry }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (names.length === 0) return null
  const headings = [...(before ? ['Before'] : []), ...(after ? [before ? 'After' : 'Value'] : [])]
  return (
    <table className="w-full table-fixed text-left text-base">
      <thead>
        <tr className="border-border border-b text-muted text-sm">
          <th scope="col" className="py-1.5 pr-3 font-medium">
            Field
          </th>
          {headings.map((heading) => (
            <th key={heading} scope="col" className="py-1.5 pr-3 font-medium">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name} className="border-border border-b align-top last:border-b-0">
            <th
              scope="row"
              className="py-1.5 pr-3 font-normal text-muted [overflow-wrap:anywhere] first-letter:uppercase"
            >
              {auditFieldNames[name] ?? name}
            </th>
            {[before, after].map(
              (facts, side) =>
                facts && (
                  <td
                    key={headings[side] ?? name}
                    dir="auto"
                    className="py-1.5 pr-3 text-start [overflow-wrap:anywhere]"
                  >
                    {describeAuditFact(facts[name])}
                  </td>
                ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
