import type { Database } from '#server/platform/database/database.ts'
import { readAllLogs } from './search-logs.ts'

const mostLines = 2_000
const mostCharacters = 1_000_000

/** The latest stored lines as JSON Lines, oldest first. */
export async function readLatestLines(database: Database): Promise<string> {
  const lines: string[] = []
  let characters = 0
  for await (const line of readAllLogs(database, {}, mostLines)) {
    const text = `${JSON.stringify(line)}\n`
    characters += text.length
    if (characters > mostCharacters) break
    lines.push(text)
  }
  return lines.reverse().join('')
}
