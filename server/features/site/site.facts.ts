import type { Facts } from '#server/testing/facts.ts'

export const facts: Facts = {
  gates: {
    'GET /pictures/*': 'nothing',
    'GET /robots.txt': 'nothing',
    'GET /sitemap.xml': 'nothing',
  },
}
