import type { FeedbackDetail } from '#contract/feedback.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Section } from '../item/feedback-facts.tsx'
import { CommentView } from './comment-view.tsx'
import { Composer } from './composer.tsx'

/** Notes of the team, replies to the visitor and their answers, and where to write one. */
export function Conversation({ organizationId, item }: { organizationId: string; item: FeedbackDetail }) {
  const { can } = useOrganization()
  return (
    <Section title="Conversation">
      {item.comments.length > 0 && (
        <ol aria-label="Messages" className="mb-3 flex flex-col gap-3">
          {item.comments.map((comment) => (
            <CommentView key={comment.id} comment={comment} item={item} />
          ))}
        </ol>
      )}
      {can('comment_feedback') && <Composer key={item.id} organizationId={organizationId} item={item} />}
    </Section>
  )
}
