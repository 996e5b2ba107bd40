/*
 * Refuses the phrases of refused-words.ts in code, styles, SQL and documents:
 * `node scripts/checks/words.ts [files or folders…]`, everything without a path. Exit code 1 when it finds one.
 */
import { globSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { findWords } from './find-words.ts'
import { allowedWords } from './refused-words.ts'

const root = join(import.meta.dirname, '..', '..')
const extensions = /\.(?:ts|tsx|sql|md|css)$/
/** Folders of tools and outputs. Those that begin with a dot are left out as well. */
const foreignFolders = new Set(['node_modules', 'data', 'build', 'test-results'])
/** Generated, or the list itself with its test. */
const leftOut = new Set([
  'db/schema.sql',
  'server/platform/database/schema.generated.ts',
  'scripts/checks/refused-words.ts',
  'scripts/checks/words.test.ts',
])

const paths = process.argv.slice(2)
const files = (paths.length > 0 ? paths : [root]).flatMap((path) => listFiles(resolve(path))).sort()
let count = 0
for (const file of new Set(files)) {
  for (const { line, phrase, instead } of findWords(file, readFileSync(join(root, file), 'utf8'))) {
    process.stdout.write(`${file}:${line}: "${phrase}" → ${instead}\n`)
    count += 1
  }
}
for (const { file, phrase } of allowedWords) {
  if (statSync(join(root, file), { throwIfNoEntry: false })) continue
  process.stdout.write(`scripts/checks/refused-words.ts: "${phrase}" is allowed in ${file}, which does not exist\n`)
  count += 1
}
if (count > 0) {
  process.stdout.write(`${count} found. Words and replacements: scripts/checks/refused-words.ts\n`)
  process.exitCode = 1
}

/** Paths of the files below a path, from the repository's root, with slashes. */
function listFiles(path: string): string[] {
  const found = statSync(path).isDirectory()
    ? globSync('**/*', { cwd: path, exclude: (name) => isForeign(name) }).map((name) => join(path, name))
    : [path]
  return found
    .map((file) => relative(root, file).split(sep).join('/'))
    .filter((file) => extensions.test(file) && !leftOut.has(file))
}

function isForeign(path: string): boolean {
  const name = path.split(/[\\/]/).at(-1) ?? ''
  return foreignFolders.has(name) || (name.startsWith('.') && name.length > 1)
}
