import type { Plugin } from 'vite'

/**
 * Numbers the parts of lucide's icons. Their keys are six random letters each, which cannot be compressed and only have to
 * differ within an icon. An icon's former names, which are classes that nothing selects, are left out.
 */
export function shortenIcons(): Plugin {
  return {
    name: 'shorten-icons',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform(code, id) {
      if (!/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/.test(id)) return undefined
      let part = 0
      const short = code
        .replace(/key: "\w+"/g, () => {
          part += 1
          return `key: "${part}"`
        })
        .replace(/aliases: \[[^\]]*\],?/, '')
      return { code: short, map: null }
    },
  }
}
