import type { BlogState } from '#contract/blog-posts.ts'
import { Badge } from '#web/ui/badge.tsx'

export const stateLabels: Readonly<Record<BlogState, string>> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  published: 'Published',
  deleted: 'Deleted',
}

const tones = { draft: 'neutral', scheduled: 'info', published: 'success', deleted: 'danger' } as const

export function StateBadge({ state }: { state: BlogState }) {
  return <Badge tone={tones[state]}>{stateLabels[state]}</Badge>
}
