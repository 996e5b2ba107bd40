import { diffWordsWithSpace } from 'diff'
import { useMemo } from 'react'
import type { EmailWords } from '#contract/email-templates.ts'
import { cn } from '#web/ui/class-names.ts'

interface WordsDifferenceProps {
  before: EmailWords
  after: EmailWords
  /** Labels by field. */
  labels: Readonly<Record<string, string>>
  /** Shown when there is no difference. */
  same: string
}

/** What differs between two versions of an email's words, text by text. */
export function WordsDifference({ before, after, labels, same }: WordsDifferenceProps) {
  const changed = [...new Set([...Object.keys(labels), ...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => (before[name] ?? '') !== (after[name] ?? ''),
  )
  if (changed.length === 0) return <p className="text-base text-muted">{same}</p>
  return (
    <dl className="flex flex-col gap-3">
      {changed.map((name) => (
        <div key={name} className="flex flex-col gap-1">
          <dt className="font-medium text-sm">{labels[name] ?? name}</dt>
          <dd>
            <TextDifference before={before[name] ?? ''} after={after[name] ?? ''} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Beyond this, texts are compared for so long that the screen would stand still. */
const maxEditLength = 2_000

/** Word by word; texts that have little in common, as wholes. */
function compareText(before: string, after: string) {
  const parts = diffWordsWithSpace(before, after, { maxEditLength })
  const kept = parts?.reduce((sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length), 0) ?? 0
  if (parts && kept >= Math.max(before.length, after.length) / 2) return parts
  return [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
}

function TextDifference({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => compareText(before, after), [before, after])
  let position = 0
  return (
    <p className="whitespace-pre-wrap rounded-md border border-border bg-surface p-3 text-base leading-6 [overflow-wrap:anywhere]">
      {parts.map(({ value, added, removed }) => {
        position += value.length
        const Tag = added ? 'ins' : removed ? 'del' : 'span'
        return (
          <Tag
            key={`${position} ${added} ${removed}`}
            className={cn(added && 'bg-success-soft text-success-text', removed && 'bg-danger-soft text-danger-text')}
          >
            {value}
          </Tag>
        )
      })}
    </p>
  )
}
