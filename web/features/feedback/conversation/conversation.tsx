import type { FeedbackDetail } from '#contract/feedback.ts'
import { Section } from '../item/feedback-facts.tsx'
import { CommentView } from './comment-view.tsx'

/** Notes of the team, replies to the visitor and their answers. */
export function Conversation({ item }: { item: FeedbackDetail }) {
  if (item.comments.length === 0) return null
  return (
    <Section title="Conversation">
      <ol aria-label="Messages" className="flex flex-col gap-3">
        {item.comments.map((comment) => (
          <CommentView key={comment.id} comment={comment} item={item} />
        ))}
      </ol>
    </Section>
  )
}
