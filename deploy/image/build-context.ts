import { readdirSync, readFileSync } from 'node:fs'
import { join, matchesGlob, relative } from 'node:path'
import { root } from './read-dockerfile.ts'

interface Pattern {
  readonly glob: string
  readonly isKept: boolean
}

/**
 * The files that a build may copy: those of the clone that .dockerignore leaves in, as paths below its root. As Docker reads it: the
 * last pattern that matches a path or a folder above it decides.
 */
export function listContext(): string[] {
  const patterns = readPatterns()
  const files: string[] = []
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = relative(root, join(folder, entry.name))
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) walk(join(folder, entry.name))
      } else if (isKept(path, patterns)) files.push(path)
    }
  }
  walk(root)
  return files
}

/** Large, and never kept; not walking them saves a second. */
const skipped = new Set(['.git', 'node_modules', 'build', 'data'])

function readPatterns(): Pattern[] {
  return readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ glob: showDots(line.replace(/^!/, '')), isKept: line.startsWith('!') }))
}

function isKept(path: string, patterns: readonly Pattern[]): boolean {
  const parts = showDots(path).split('/')
  const withFolders = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  const decisive = patterns.findLast(({ glob }) => withFolders.some((each) => matchesGlob(each, glob)))
  return decisive?.isKept ?? true
}

/** For Docker, `*` matches a name that begins with a dot; for Node it does not. */
function showDots(path: string): string {
  return path.replace(/(^|\/)\./g, '$1dot.')
}
