import type { FeedbackComment } from '#contract/conversation.ts'
import type { FeedbackType } from '#contract/feedback.ts'
import type { Chance } from './chance.ts'
import type { DemoWork } from './work-on-item.ts'

/** An internal note, a reply to the visitor, or the visitor's answer. */
export interface DemoComment {
  readonly kind: FeedbackComment['kind']
  readonly text: string
  /** Null: the visitor. */
  readonly authorUserId: string | null
  readonly at: Date
  /** Whether the visitor marked it solved in an answer; null: not stated. */
  readonly solved: boolean | null
}

const notes: Readonly<Record<FeedbackType, readonly string[]>> = {
  bug: [
    'I can see it here too, on the phone only.',
    'Happens since the release on Monday. The log of that minute has a time-out.',
    'Same cause as the one from last week, I think.',
  ],
  idea: ['Third time this is asked for.', 'Let us talk about it on Thursday.', 'Would fit with what we plan anyway.'],
  question: ['We should say this on the page itself.', 'Asked the workshop, waiting for an answer.'],
  praise: ['This one goes to the workshop’s wall.', 'May we quote it? I have written and asked.'],
  other: ['Not for us, passed on to the office.', 'Called them, all is well.'],
}

const replies: Readonly<Record<FeedbackType, readonly string[]>> = {
  bug: [
    'Thank you, that was our mistake. It is mended since this morning.',
    'Thank you for taking the time. Could you tell us which browser that was?',
    'We found it, with your help. Please reload the page once.',
  ],
  idea: ['Good idea. It is on our list, and we will write here when it is there.', 'It is there now. Do you like it?'],
  question: [
    'Yes, it does. We have made the page clearer.',
    'About two weeks. You will get a message when it leaves us.',
  ],
  praise: ['Thank you! We have read it out at lunch.'],
  other: ['Thank you for telling us. We have passed it on.'],
}

const answers: readonly (readonly [text: string, solved: boolean | null])[] = [
  ['Works now, thank you for the quick help!', true],
  ['', true],
  ['It is Firefox on Windows. It still happens when I go back a page.', false],
  ['Still the same here, I am afraid.', false],
  ['Lovely, thank you. One more thing: could the email say which door it is about?', null],
]

/**
 * The conversation while the team worked on an item: sometimes a note, a reply where there is an address, and sometimes
 * an answer to it.
 */
export function commentOnItem(
  chance: Chance,
  item: { type: FeedbackType; hasAddress: boolean },
  work: DemoWork,
  now: Date,
): DemoComment[] {
  const comments: DemoComment[] = []
  for (const { at, actorUserId, field } of work.events) {
    if (field !== 'status' || comments.length >= 2) continue
    if (chance.happens(0.08))
      comments.push({ kind: 'note', text: chance.pick(notes[item.type]), at, authorUserId: actorUserId, solved: null })
    else if (item.hasAddress && chance.happens(0.4)) {
      comments.push({
        kind: 'reply',
        text: chance.pick(replies[item.type]),
        at,
        authorUserId: actorUserId,
        solved: null,
      })
      const [text, solved] = chance.pick(answers)
      const answeredAt = new Date(at.getTime() + chance.between(20, 1_500) * 60_000)
      if (chance.happens(0.4) && answeredAt < now) {
        comments.push({ kind: 'reply', text, at: answeredAt, authorUserId: null, solved })
      }
    }
  }
  return comments
}
