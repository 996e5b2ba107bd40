import { type Facts, gateOf } from '#server/testing/facts.ts'

export const facts: Facts = {
  gates: gateOf('nothing', [
    'GET /docs',
    'GET /docs/',
    'GET /docs/env-example',
    'GET /docs/guides',
    'GET /docs/guides/',
    'GET /docs/guides/{path}.md',
    'GET /llms.txt',
  ]),
  routes: { searchDocs: { query: 'q=widget' } },
}
