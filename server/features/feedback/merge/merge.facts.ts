import type { Facts } from '#server/testing/facts.ts'

export const facts: Facts = {
  routes: {
    mergeFeedback: { body: ({ otherNumber }) => ({ number: otherNumber }) },
    unmergeFeedback: { body: () => ({}), fullBody: () => ({ take: [crypto.randomUUID()] }) },
  },
}
