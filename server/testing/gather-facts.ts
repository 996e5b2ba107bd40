import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import type { Facts } from './facts.ts'

/* The facts of all nouns, found by their files' names. */

const server = join(import.meta.dirname, '..')
const files: string[] = []
for await (const path of glob('**/*.facts.ts', { cwd: server })) files.push(path)
const all = await Promise.all(
  files.sort().map(async (path) => ({ path, facts: ((await import(join(server, path))) as { facts: Facts }).facts })),
)

/** One kind of facts, of all nouns. @throws Error when two nouns claim the same. */
function gather<K extends keyof Facts>(kind: K): NonNullable<Facts[K]> {
  const gathered: Record<string, unknown> = {}
  for (const { path, facts } of all) {
    for (const [name, fact] of Object.entries(facts[kind] ?? {})) {
      if (name in gathered) throw new Error(`${path}: ${name} stands in the facts of another noun too`)
      gathered[name] = fact
    }
  }
  return gathered as NonNullable<Facts[K]>
}

export const tables = gather('tables')
export const functions = gather('functions')
export const inlined = gather('inlined')
export const unforced = gather('unforced')
export const withoutTenant = gather('withoutTenant')
export const migrations = gather('migrations')
export const ids = gather('ids')
export const gates = gather('gates')
export const withoutCanary = gather('withoutCanary')
export const routes = gather('routes')
export const eventActs = gather('events')
