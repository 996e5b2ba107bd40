import type { Facts } from '#server/testing/facts.ts'

export const facts: Facts = {
  gates: { 'GET /blog/rss.xml': 'nothing' },
}
