import type { FeedbackDetail } from '#contract/feedback.ts'
import type { Submission } from '#contract/widget.ts'
import type { DemoAttachment } from './attach-files.ts'
import type { DemoComment } from './comment-on-item.ts'
import type { DemoRest } from './put-away.ts'
import type { DemoWork } from './work-on-item.ts'

export interface DemoItem extends DemoWork, DemoRest {
  readonly projectId: string
  readonly number: number
  readonly source: FeedbackDetail['source']
  readonly createdAt: Date
  readonly submission: Submission
  readonly files: readonly DemoAttachment[]
  /** The site signed the visitor's id. */
  readonly visitorVerified: boolean
  readonly spamReason: string | null
  readonly comments: readonly DemoComment[]
  /** The item that it is a duplicate of. */
  readonly mergedInto: string | null
}
