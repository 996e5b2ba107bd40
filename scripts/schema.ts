/*
 * Writes db/schema.sql and the types of the database's tables from an empty, migrated database.
 * With --check, compares instead and fails with the lines that differ.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { generateTypes } from '#server/platform/database/generate-types.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { dumpSchema } from '#server/platform/database/schema-dump.ts'
import { startThrowawayPostgres } from '#server/testing/throwaway-postgres.ts'

const root = new URL('..', import.meta.url)
const shownLines = 20

const server = await startThrowawayPostgres()
try {
  await migrate({ url: server.url, log: { info: () => {}, warn: () => {} } })
  const pages = await writePages(server.url)
  if (process.argv.includes('--check')) await check(pages)
  else for (const page of pages) await writeFile(fileURLToPath(new URL(page.path, root)), page.text)
} finally {
  await server.stop()
}

async function writePages(url: string): Promise<{ path: string; text: string }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return [
      { path: 'server/platform/database/schema.generated.ts', text: await generateTypes(client) },
      { path: 'db/schema.sql', text: await dumpSchema(client) },
    ]
  } finally {
    await client.end()
  }
}

async function check(pages: readonly { path: string; text: string }[]): Promise<void> {
  for (const { path, text } of pages) {
    const stored = await readFile(fileURLToPath(new URL(path, root)), 'utf8').catch(() => '')
    if (stored === text) continue
    process.exitCode = 1
    console.error(`${path} does not match the migrated database. Run \`npm run schema\`.`)
    const lines = [...difference(stored, text, '-'), ...difference(text, stored, '+')]
    for (const line of lines.slice(0, shownLines)) console.error(line)
    if (lines.length > shownLines) console.error(`… and ${lines.length - shownLines} more lines`)
  }
}

/** Lines of `text` that `other` has fewer of. */
function difference(text: string, other: string, mark: string): string[] {
  const left = new Map<string, number>()
  for (const line of other.split('\n')) left.set(line, (left.get(line) ?? 0) + 1)
  return text.split('\n').flatMap((line) => {
    const n = left.get(line) ?? 0
    left.set(line, n - 1)
    return n > 0 ? [] : `${mark} ${line}`
  })
}
