/*
 * Lists functions of more than 80 lines in the folders given as arguments, one per line: file, line, name, length.
 * Exits with 1 when there are any. A function counts from its first line to its last, nested functions included.
 * Tests, scenarios, declarations and generated files are exempt: a test's steps read best in one place.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

const maxLines = 80
const exempt = /(^|\/)(scenarios|node_modules|build)\/|\.(test|e2e|d|generated)\.tsx?$/
const kinds = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/

/** What the walk reads of a node, whatever its type. */
type SyntaxNode = Record<string, unknown> & { readonly type: string; readonly start: number; readonly end: number }

export interface LongFunction {
  readonly line: number
  readonly name: string
  readonly lines: number
}

/** @throws Error when the source does not parse */
export function findLongFunctions(path: string, source: string): LongFunction[] {
  const { program, errors } = parseSync(path, source)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const found: LongFunction[] = []
  const countLines = (start: number, end: number) => source.slice(start, end).split('\n').length
  const visit = (node: SyntaxNode, parent: SyntaxNode | undefined) => {
    const lines = countLines(node.start, node.end)
    // A node within the limit contains no function beyond it.
    if (lines <= maxLines) return
    if (kinds.test(node.type)) found.push({ line: countLines(0, node.start), name: nameFunction(node, parent), lines })
    for (const child of listChildren(node)) visit(child, node)
  }
  // The walk reads fields of any node, which the parser's union of types lacks.
  visit(program as unknown as SyntaxNode, undefined)
  return found
}

function listChildren(node: SyntaxNode): SyntaxNode[] {
  return (
    Object.values(node)
      .flat()
      // Any value; those that are no node give undefined.
      .filter((value): value is SyntaxNode => typeof (value as SyntaxNode | null)?.type === 'string')
  )
}

/** The function's own name, else that of its variable, property or method; a callback has the name of the call. */
function nameFunction(node: SyntaxNode, parent: SyntaxNode | undefined): string {
  if (!node.id && parent?.callee) return `callback of ${readName(parent.callee)}`
  return readName(node.id ?? parent?.id ?? parent?.key ?? parent?.left)
}

function readName(node: unknown): string {
  // Any value; missing fields are undefined.
  const { name, value, property } = (node ?? {}) as { name?: string; value?: string; property?: { name?: string } }
  return name ?? value ?? property?.name ?? 'anonymous'
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !exempt.test(path))
    .sort()
}

if (import.meta.main) {
  const folders = process.argv.slice(2)
  if (folders.length === 0) throw new Error('Usage: node scripts/checks/long-functions.ts <folder> …')
  for (const path of folders.flatMap(listSources)) {
    for (const { line, name, lines } of findLongFunctions(path, readFileSync(path, 'utf8'))) {
      process.stdout.write(`${path}:${line} ${name}: ${lines} lines\n`)
      process.exitCode = 1
    }
  }
}
