import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RouteContract } from '#contract/route.ts'

const folder = join(import.meta.dirname, '../../contract')
const files = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).sort()
const modules = await Promise.all(files.map((name) => import(join(folder, name)) as Promise<Record<string, unknown>>))

/** Every operation that a file of `contract/` describes. A test compares with what the server prints of itself. */
export const contracts: readonly RouteContract[] = modules.flatMap((module) => Object.values(module)).filter(isContract)

function isContract(value: unknown): value is RouteContract {
  return typeof value === 'object' && value !== null && 'operationId' in value
}
