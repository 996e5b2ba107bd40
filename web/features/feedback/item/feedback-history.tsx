import type { FeedbackDetail } from '#contract/feedback.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { describeHistory } from './describe-history.ts'
import { Section } from './feedback-facts.tsx'

/** Everything that happened to the item, oldest first. */
export function FeedbackHistory({ item }: { item: Pick<FeedbackDetail, 'createdAt' | 'history' | 'visitorName'> }) {
  return (
    <Section title="History">
      <ol className="flex flex-col gap-2.5 border-border border-l pl-4 text-base">
        <Line actor={item.visitorName ?? 'A visitor'} text="sent this" createdAt={item.createdAt} />
        {describeHistory(item.history).map(({ id, ...line }) => (
          <Line key={id} {...line} />
        ))}
      </ol>
    </Section>
  )
}

function Line({ actor, text, createdAt }: { actor: string; text: string; createdAt: string }) {
  return (
    <li className="relative text-muted [overflow-wrap:anywhere] before:absolute before:top-1.5 before:-left-[1.28rem] before:size-2 before:rounded-full before:border before:border-border-strong before:bg-background">
      <bdi className="font-medium text-foreground">{actor}</bdi> {text} · <RelativeTime iso={createdAt} />
    </li>
  )
}
