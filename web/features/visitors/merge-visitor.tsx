import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft, Merge } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Visitor } from '#contract/visitors.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatItems } from '#web/shared/format-count.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useVisitorJoins } from './use-visitor-joins.ts'
import { VerifiedMark } from './verified-mark.tsx'
import { VisitorLine } from './visitor-line.tsx'
import { visitorQuery, visitorsQuery } from './visitor-queries.ts'

const shownResults = 8

/** Merges another visitor into this one: find it, see what is joined, merge. */
export function MergeVisitor({ visitor }: { visitor: Visitor }) {
  const [open, setOpen] = useState(false)
  const [part, setPart] = useState<string>()
  const close = () => {
    setOpen(false)
    setPart(undefined)
  }
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <Merge aria-hidden="true" />
        Merge
      </Button>
      <Dialog
        open={open}
        onOpenChange={(isOpen) => (isOpen ? setOpen(true) : close())}
        title="Merge another visitor"
        description="For one person who appears as two visitors. Nothing is deleted, and you can undo it."
      >
        {part === undefined ? (
          <FindVisitor visitor={visitor} onSelect={setPart} />
        ) : (
          <MergePreview visitor={visitor} part={part} onBack={() => setPart(undefined)} onMerged={close} />
        )}
      </Dialog>
    </>
  )
}

function FindVisitor({ visitor, onSelect }: { visitor: Visitor; onSelect: (key: string) => void }) {
  const { organization } = useOrganization()
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const { data, error, refetch } = useInfiniteQuery(visitorsQuery(organization.id, q))
  const others = data?.pages[0]?.items.filter(({ key }) => key !== visitor.key).slice(0, shownResults)
  return (
    <div className="flex flex-col gap-3">
      <Field label="Visitor to merge">
        {(control) => (
          <Input
            {...control}
            type="search"
            placeholder="Name, email or id"
            maxLength={200}
            autoFocus
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </Field>
      {others === undefined ? (
        error ? (
          <LoadFailure title="Couldn’t load visitors" error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton className="h-32" />
        )
      ) : others.length === 0 ? (
        <p className="rounded-md bg-sunken p-4 text-center text-base text-muted">No other visitor matches.</p>
      ) : (
        <ul aria-label="Visitors" className="divide-y divide-border rounded-md border border-border">
          {others.map((each) => (
            <li key={each.key}>
              <button
                type="button"
                className="flex w-full min-w-0 items-center gap-3 px-3 py-2.5 text-left hover:bg-hover"
                onClick={() => onSelect(each.key)}
              >
                <VisitorLine visitor={each} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface MergePreviewProps {
  visitor: Visitor
  part: string
  onBack: () => void
  onMerged: () => void
}

function MergePreview({ visitor, part, onBack, onMerged }: MergePreviewProps) {
  const { organization } = useOrganization()
  const { data: other, error, refetch } = useQuery(visitorQuery(organization.id, part))
  const { joining } = useVisitorJoins()
  if (!other) {
    return error ? (
      <LoadFailure title="Couldn’t load the visitor" error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-40" />
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-3 sm:grid-cols-2">
        <PreviewCard title="Merged" visitor={other} />
        <PreviewCard title="Kept" visitor={visitor} />
      </div>
      <p className="text-base text-muted">
        Lists, filters, exports and erasure treat both as one visitor from now on. Erasing the visitor erases the
        feedback of both.
      </p>
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="ghost" onClick={onBack}>
          <ArrowLeft aria-hidden="true" />
          Back
        </Button>
        <Button
          loading={joining.isPending}
          onClick={() => joining.mutate({ into: visitor.key, part: other.key }, { onSuccess: onMerged })}
        >
          Merge visitors
        </Button>
      </div>
    </div>
  )
}

function PreviewCard({ title, visitor }: { title: string; visitor: Visitor }) {
  const { total, limit, isVerified } = visitor
  const name = visitor.names[0] ?? visitor.emails[0] ?? visitor.key
  const details = [...visitor.emails, ...visitor.visitorIds].filter((each) => each !== name)
  return (
    <section aria-label={title} className="min-w-0 rounded-md border border-border p-3">
      <h3 className="text-muted text-sm">{title}</h3>
      <p className="mt-1 flex min-w-0 items-center gap-1.5 font-medium text-base">
        <bdi className="min-w-0 [overflow-wrap:anywhere]">{name}</bdi>
        {isVerified && <VerifiedMark />}
      </p>
      {details.map((each) => (
        <bdi key={each} className="block text-muted text-sm [overflow-wrap:anywhere]">
          {each}
        </bdi>
      ))}
      <p className="mt-2 text-sm">{formatItems(total, limit)}</p>
    </section>
  )
}
