import type { Facts } from '#server/testing/facts.ts'

export const facts: Facts = {
  routes: {
    emptyTrash: { fullBody: () => ({ ids: [crypto.randomUUID()] }) },
  },
}
