import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { sharedModules } from './scripts/web-build/shared-modules.ts'

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), leaveSchemasOut()],
  publicDir: 'web/public',
  // Found at the start of development: one found later reloads the page during use.
  optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!web/**/*.test.ts'] },
  build: {
    // CSS keeps light-dark() and oklch() as written: the browsers of the last two years know them.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The strict policy forbids data: scripts and keeps fonts cacheable.
    assetsInlineLimit: 0,
  },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: sharedModules } } } } } },
})

/**
 * Contracts are TypeBox schemas, but the browser needs only their methods and paths, and the compiler their types.
 * Putting an empty builder in TypeBox's place keeps 20 kB (gzip) out of the pages.
 */
function leaveSchemasOut(): Plugin {
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
