import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatItems } from '#web/shared/format-count.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { SelectMenu } from '#web/ui/select-menu.tsx'
import type { BulkProgress } from '../inbox/bulk-operations.ts'
import { createManyIssues } from './create-many-issues.ts'
import { isActive, listChoices, type Tracker, trackersQuery } from './issue-queries.ts'

interface ManyProps {
  ids: readonly string[]
  /** False: more items are selected than these, which are loaded. */
  isWhole: boolean
  onProgress: (progress?: BulkProgress) => void
  open: boolean
  onOpenChange: (open: boolean) => void
  returnFocus: () => void
  /** What opens the menu. */
  children: ReactElement
}

/** Selects the tracker in which each selected item gets an issue, and asks before: a created issue stays in the tracker. */
export function ManyIssuesMenu({ ids, isWhole, onProgress, children, ...menu }: ManyProps) {
  const { organization } = useOrganization()
  const { data = [] } = useQuery(trackersQuery(organization.id))
  const [asked, setAsked] = useState<Tracker>()
  const active = data.filter(isActive)
  return (
    <>
      <SelectMenu
        label="Create issue in"
        value=""
        choices={listChoices(active)}
        onChoose={(id) => setAsked(active.find((each) => each.id === id))}
        side="top"
        {...menu}
      >
        {children}
      </SelectMenu>
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsked(undefined)}
          title={`Create issues for ${formatItems(ids.length)}?`}
          action="Create issues"
          isPending={false}
          error={null}
          onConfirm={() => {
            void createManyIssues({ organizationId: organization.id, tracker: asked, ids }, onProgress)
            setAsked(undefined)
          }}
        >
          <p>
            They are created in {asked.name}
            {asked.account !== null && `, ${asked.account}`}. Items that have an issue there keep it.
          </p>
          {!isWhole && <p>Only the loaded items are included. To include more, scroll down first.</p>}
        </ConfirmDialog>
      )}
    </>
  )
}
