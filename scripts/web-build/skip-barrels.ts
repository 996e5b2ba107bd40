import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

/** Where a name of a package's index comes from, and how it is imported from there. */
interface Origin {
  readonly source: string
  readonly isNamespace: boolean
}

/**
 * Imports icons and Radix parts from their own modules instead of the packages' indexes. An index imports all of its
 * package: by {@link sharedModules}, which follows imports, every page would need what any page needs.
 */
export function skipBarrels(): Plugin {
  const barrels = [readIcons(), readRadix()]
  return {
    name: 'skip-barrels',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    async transform(code, id) {
      const own = id.includes('/web/') && barrels.some(({ name }) => code.includes(`"${name}"`))
      if (!own) return undefined
      let direct = code
      for (const statement of this.parse(code).body.toReversed()) {
        if (statement.type !== 'ImportDeclaration') continue
        const barrel = barrels.find(({ name }) => name === statement.source.value)
        if (!barrel) continue
        const imports = statement.specifiers.map(async (each) => {
          const name = each.type === 'ImportSpecifier' && each.imported.type === 'Identifier' && each.imported.name
          const origin = name ? barrel.origins.get(name) : undefined
          const resolved = origin && (await this.resolve(origin.source, barrel.file))
          if (!resolved) throw new Error(`${barrel.name} offers no ${each.local.name}, imported by ${id}`)
          const binding = origin.isNamespace ? `* as ${each.local.name}` : each.local.name
          return `import ${binding} from ${JSON.stringify(resolved.id)};`
        })
        direct = direct.slice(0, statement.start) + (await Promise.all(imports)).join('') + direct.slice(statement.end)
      }
      return { code: direct, map: null }
    },
  }
}

/** `export { default as X, default as XIcon } from './icons/x.mjs'` */
function readIcons() {
  const file = join(findPackage('lucide-react'), 'dist/esm/lucide-react.mjs')
  const origins = new Map<string, Origin>()
  for (const [, names = '', source = ''] of readFileSync(file, 'utf8').matchAll(/export \{(.*)\} from '(.+)'/g)) {
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) origins.set(name, { source, isNamespace: false })
  }
  return { name: 'lucide-react', file, origins }
}

/** `import * as Dialog from "@radix-ui/react-dialog"` */
function readRadix() {
  const file = join(findPackage('radix-ui'), 'dist/index.mjs')
  const origins = new Map<string, Origin>()
  for (const [, name = '', source = ''] of readFileSync(file, 'utf8').matchAll(/import \* as (\w+) from "(.+)"/g)) {
    origins.set(name, { source, isNamespace: true })
  }
  return { name: 'radix-ui', file, origins }
}

function findPackage(name: string): string {
  return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
}
