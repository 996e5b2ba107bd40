import { type Facts, gateOf } from '#server/testing/facts.ts'

export const facts: Facts = {
  gates: gateOf('agent token', ['POST /mcp', 'GET /mcp', 'DELETE /mcp']),
}
