import type { Plugin } from 'vite'

/*
 * Contracts are TypeBox schemas, but the browser needs only their methods, paths and kinds of access, and the compiler their
 * types. Together these keep 30 kB (Brotli) out of the pages.
 */

/** Puts an empty builder in TypeBox's place. */
export function leaveSchemasOut(): Plugin {
  const id = '\0schemas-left-out'
  return {
    name: 'leave-schemas-out',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    resolveId: (source) => (source === 'typebox' ? id : undefined),
    load: (loaded) =>
      loaded === id
        ? 'export default new Proxy({}, { get: () => (properties) => ({ properties: properties ?? {} }) })'
        : undefined,
  }
}

const keptFields = ['method', 'path', 'access']

/**
 * Takes schemas, summaries and errors out of route contracts. Schemas that nothing uses any more leave the build: each is
 * made inside a function without side effects, since `Type.Enum([...names])` alone counts as one that has them.
 */
export function shortenContracts(): Plugin {
  return {
    name: 'shorten-contracts',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform(code, id) {
      if (!/\/contract\/[\w-]+\.ts$/.test(id)) return undefined
      let short = code
      // From the end, so that the places of earlier ones stay as they are.
      for (const statement of this.parse(code).body.toReversed()) {
        const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        if (declared?.type !== 'VariableDeclaration') continue
        const made = declared.declarations[0]?.init
        if (made?.type !== 'CallExpression') continue
        const { callee } = made
        if (
          callee.type === 'MemberExpression' &&
          callee.object.type === 'Identifier' &&
          callee.object.name === 'Type'
        ) {
          const schema = code.slice(made.start, made.end)
          short = `${short.slice(0, made.start)}/* @__PURE__ */ (() => ${schema})()${short.slice(made.end)}`
        }
        if (callee.type !== 'Identifier' || callee.name !== 'route') continue
        const [contract] = made.arguments
        if (contract?.type !== 'ObjectExpression') continue
        const kept = contract.properties
          // A spread may contain any of them.
          .filter(
            (each) =>
              each.type !== 'Property' || (each.key.type === 'Identifier' && keptFields.includes(each.key.name)),
          )
          .map((each) => {
            const value = each.type === 'Property' && !each.computed ? each.value : undefined
            const isAccess = each.type === 'Property' && each.key.type === 'Identifier' && each.key.name === 'access'
            const kind =
              isAccess && value?.type === 'ObjectExpression'
                ? value.properties.find(
                    (own) => own.type === 'Property' && own.key.type === 'Identifier' && own.key.name === 'kind',
                  )
                : undefined
            // Permissions are the server's: the browser asks only whether a route is public.
            return kind ? `access:{${code.slice(kind.start, kind.end)}}` : code.slice(each.start, each.end)
          })
        short = `${short.slice(0, contract.start)}{${kept.join(',')}}${short.slice(contract.end)}`
      }
      return { code: short, map: null }
    },
  }
}
