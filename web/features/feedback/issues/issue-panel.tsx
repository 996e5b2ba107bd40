import { useQuery } from '@tanstack/react-query'
import { Link2, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectMenu } from '#web/ui/select-menu.tsx'
import { Section } from '../item/feedback-facts.tsx'
import { focusIssues } from './focus-issues.ts'
import { isActive, issueLinksQuery, listChoices, type Tracker, trackersQuery } from './issue-queries.ts'
import { IssueRow } from './issue-row.tsx'
import { IssuesSkeleton } from './issues-skeleton.tsx'
import { LinkIssueDialog } from './link-issue-dialog.tsx'
import { useIssueChanges } from './use-issue-changes.ts'

interface PanelProps {
  organizationId: string
  item: FeedbackListItem
  /** Whether links can be removed. */
  canChange: boolean
  /** Whether issues can be created and linked. */
  canCreate: boolean
}

/** The issues of the open item, with what can be done about them. */
export function IssuePanel({ organizationId, item, canChange, canCreate }: PanelProps) {
  const links = useQuery(issueLinksQuery(organizationId, item.id))
  const trackers = useQuery(trackersQuery(organizationId))
  const { create, link, unlink } = useIssueChanges(organizationId, item)
  const [isLinking, setLinking] = useState(false)
  const loseFocus = useKeptFocus(links.data?.items.length)
  const error = links.error ?? trackers.error
  if (!links.data || !trackers.data) {
    return (
      <Section title="Issues">
        {error ? (
          <p role="alert" className="text-base text-muted">
            Couldn’t load issues.{' '}
            <Button variant="link" onClick={() => void Promise.all([links.refetch(), trackers.refetch()])}>
              Try again
            </Button>
          </p>
        ) : (
          <IssuesSkeleton count={item.issues.length} />
        )}
      </Section>
    )
  }
  const { items } = links.data
  // An item has at most one issue in each tracker.
  const free = trackers.data.filter(
    (each) => isActive(each) && items.every(({ integrationId }) => integrationId !== each.id),
  )
  const canAdd = canCreate && free.length > 0
  if (items.length === 0 && !canAdd) return null
  return (
    <Section
      title="Issues"
      aside={
        canAdd && (
          // No higher than the title, so that nothing below it moves.
          <Button
            variant="ghost"
            size="sm"
            className="-my-1.5 pointer-coarse:-my-2.5 text-muted"
            onClick={() => setLinking(true)}
          >
            <Link2 aria-hidden="true" />
            Link existing…
          </Button>
        )
      }
    >
      <div
        data-issues
        className="divide-y divide-border overflow-hidden rounded-md border border-border bg-surface text-base"
      >
        {items.length > 0 && (
          <ul aria-label="Linked issues" className="divide-y divide-border">
            {items.map((each) => (
              <IssueRow
                key={each.integrationId}
                link={each}
                tracker={trackers.data.find(({ id }) => id === each.integrationId)}
                onUnlink={canChange ? () => loseFocus(() => unlink(each)) : undefined}
              />
            ))}
          </ul>
        )}
        {canAdd && <CreateIssue trackers={free} onCreate={(tracker) => loseFocus(() => create(tracker))} />}
      </div>
      {isLinking && <LinkIssueDialog trackers={free} onLink={link} onClose={() => setLinking(false)} />}
    </Section>
  )
}

/** Gives the focus of a pressed button that vanishes to its replacement. @param count number of linked issues */
function useKeptFocus(count: number | undefined): (act: () => void) => void {
  const isLost = useRef(false)
  useEffect(() => {
    if (count === undefined || !isLost.current) return
    isLost.current = false
    focusIssues()
  }, [count])
  return (act) => {
    isLost.current = true
    act()
  }
}

/** One tracker: a button that names it. Several: a menu of them. */
function CreateIssue({ trackers, onCreate }: { trackers: readonly Tracker[]; onCreate: (tracker: Tracker) => void }) {
  const [only, ...others] = trackers
  if (!only) return null
  const className =
    'h-10 w-full justify-start gap-2 rounded-none px-3 font-normal text-base focus-visible:outline-offset-[-2px]'
  if (others.length === 0) {
    return (
      <Button variant="ghost" data-add-issue aria-keyshortcuts="i" className={className} onClick={() => onCreate(only)}>
        <Plus aria-hidden="true" className="text-muted" />
        <span className="truncate">Create issue in {only.name}</span>
      </Button>
    )
  }
  return (
    <SelectMenu
      label="Create issue in"
      value=""
      choices={listChoices(trackers)}
      onChoose={(id) => {
        const chosen = trackers.find((each) => each.id === id)
        if (chosen) onCreate(chosen)
      }}
    >
      <Button variant="ghost" data-add-issue aria-keyshortcuts="i" className={className}>
        <Plus aria-hidden="true" className="text-muted" />
        Create issue in…
      </Button>
    </SelectMenu>
  )
}
