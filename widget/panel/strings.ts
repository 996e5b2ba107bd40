import type { FeedbackType } from '#contract/feedback.ts'

/** Writing direction of these texts. The panel follows its own language, not the page's direction. */
export const direction: 'ltr' | 'rtl' = 'ltr'

export const types: readonly { value: FeedbackType; label: string; hint: string }[] = [
  { value: 'bug', label: 'Bug', hint: 'What happened, and what did you expect?' },
  { value: 'idea', label: 'Idea', hint: 'What would make this better for you?' },
  { value: 'question', label: 'Question', hint: 'What would you like to know?' },
  { value: 'praise', label: 'Praise', hint: 'What do you like?' },
  { value: 'other', label: 'Other', hint: 'What is on your mind?' },
]

export const ratings = ['Very bad', 'Bad', 'Okay', 'Good', 'Very good'] as const

export const strings = {
  title: 'Send us your feedback',
  close: 'Close',
  type: 'Kind of feedback',
  message: 'Your message',
  rating: 'How was your experience?',
  clearRating: 'Clear',
  email: 'Your e-mail',
  emailHint: 'Optional, for a reply',
  send: 'Send feedback',
  sending: 'Sending…',
  retry: 'Try again',
  copy: 'Copy text',
  copied: 'Copied',
  done: 'Done',
  another: 'Send another',
  thanks: 'Thank you.',
  optional: 'optional',
  left: (count: number) => `${count.toLocaleString()} characters left`,
  tooLong: (count: number) => `${count.toLocaleString()} characters too many`,
  messageMissing: 'Please write a few words first.',
  messageTooLong: 'Please shorten your message.',
  emailInvalid: 'This does not look like an e-mail address.',
  receipt: (number: number) => `Your feedback is #${number}.`,
  receiptText: 'It has reached the team.',
  offlineTitle: 'You are offline',
  offlineKept:
    'Your feedback is saved on this device. It is sent by itself as soon as you are online and on this site.',
  offlineInMemory:
    'This browser does not let us save your feedback. Keep this page open: it is sent as soon as you are online.',
  failedTitle: 'Not sent yet',
  refusedTitle: 'Not sent',
  refusedBefore: 'An earlier message could not be sent',
  unreachable: 'We could not reach the server.',
  serverTrouble: 'The server has a problem right now.',
  busy: 'There are too many messages at the moment.',
  kept: 'Your text is saved on this device and we keep trying.',
  keptInMemory: 'Keep this page open and we keep trying.',
  notLoaded: 'Sending could not be prepared. Please check your connection. Your text stays here.',
  waiting: (count: number) =>
    count === 1 ? 'One earlier message is still waiting to be sent.' : `${count} earlier messages are still waiting.`,
} as const
