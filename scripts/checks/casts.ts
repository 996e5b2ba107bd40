/*
 * Lists casts without a reason in the folders given as arguments (else in all product code), one per line: file, line, cast.
 * Exits with 1 when there are any. A cast is `x as T`, `<T>x` or `x!`: it claims what the compiler cannot see, so a
 * comment on its line or the line above says why the claim is true. `as const`, `as unknown` and `satisfies` claim nothing.
 * Tests, scenarios, test support, declarations and generated files are exempt: a wrong cast there fails a test.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'vite'

const productFolders = ['contract', 'server', 'web', 'widget', 'doubles', 'cli', 'scripts']
const exempt = /(^|\/)(scenarios|testing|node_modules|build|\.react-router)\/|\.(test|e2e|d|generated)\.tsx?$/

const harmless = new Set(['const', 'unknown'])

export interface Cast {
  readonly line: number
  readonly text: string
}

type Span = { readonly start: number; readonly end: number }

/** @throws Error when the source does not parse */
export function findCasts(path: string, source: string): Cast[] {
  const { program, comments, errors } = parseSync(path, source)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length
  const explained = new Set(comments.flatMap(({ end }) => [lineOf(end), lineOf(end) + 1]))
  const found: Cast[] = []
  const note = (node: Span, sign: number) => {
    // A long cast has its comment above its first line or beside its type.
    if (explained.has(lineOf(node.start)) || explained.has(lineOf(sign))) return
    found.push({ line: lineOf(sign), text: source.slice(node.start, node.end).replace(/\s+/g, ' ') })
  }
  new Visitor({
    TSAsExpression(node) {
      const { start, end } = node.typeAnnotation
      if (!harmless.has(source.slice(start, end))) note(node, start)
    },
    TSTypeAssertion(node) {
      note(node, node.start)
    },
    TSNonNullExpression(node) {
      note(node, node.end)
    },
  }).visit(program)
  return found
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !exempt.test(path))
    .sort()
}

if (import.meta.main) {
  const folders = process.argv.slice(2)
  let count = 0
  for (const path of (folders.length > 0 ? folders : productFolders).flatMap(listSources)) {
    for (const { line, text } of findCasts(path, readFileSync(path, 'utf8'))) {
      process.stdout.write(`${path}:${line} ${text}\n`)
      count += 1
    }
  }
  if (count > 0) {
    process.stdout.write(`${count} casts without a reason\n`)
    process.exitCode = 1
  }
}
