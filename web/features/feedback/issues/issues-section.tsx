import type { FeedbackListItem } from '#contract/feedback.ts'
import { createLateCode, useLateCode } from '#web/ui/late-code.ts'
import { Section } from '../item/feedback-facts.tsx'
import { IssuesSkeleton } from './issues-skeleton.tsx'

// Most organisations have no tracker.
const panel = createLateCode(() => import('./issue-panel.tsx'))

interface SectionProps {
  organizationId: string
  item: FeedbackListItem
  canChange: boolean
  /** Whether issues can be created. */
  hasTracker: boolean
  /** Whether the item itself is read, whose content comes first. */
  isRead: boolean
}

/** Issues that an item is linked to. Nothing where there are none and none can be created. */
export function IssuesSection({ organizationId, item, canChange, hasTracker, isRead }: SectionProps) {
  const canCreate = canChange && hasTracker && item.location !== 'trash'
  const isShown = canCreate || item.issues.length > 0
  const code = useLateCode(panel, isShown && isRead, false)
  if (!isShown) return null
  if (code && isRead)
    return <code.IssuePanel organizationId={organizationId} item={item} canChange={canChange} canCreate={canCreate} />
  return (
    <Section title="Issues">
      <IssuesSkeleton count={item.issues.length} />
    </Section>
  )
}
