import type { LogLine } from '#contract/superadmin-logs.ts'

/** Lines of pages and of the tail, each once, latest first. Those of several processes are stored in another order than written. */
export function mergeLines(...lists: readonly (readonly LogLine[])[]): LogLine[] {
  const lines = new Map<string, LogLine>()
  for (const list of lists) for (const line of list) lines.set(line.id, line)
  return [...lines.values()].sort(compare)
}

function compare(a: LogLine, b: LogLine): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1
  return numberOf(b) - numberOf(a)
}

const numberOf = ({ id }: LogLine) => Number(id.slice(id.indexOf('-') + 1))
