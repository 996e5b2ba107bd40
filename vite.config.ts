import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { leaveSchemasOut, shortenContracts } from './scripts/web-build/leave-schemas-out.ts'
import { choosePreloaded, leaveLoadedStylesOut } from './scripts/web-build/preloaded-files.ts'
import { sharedModules } from './scripts/web-build/shared-modules.ts'
import { shortenIcons } from './scripts/web-build/short-icons.ts'
import { skipBarrels } from './scripts/web-build/skip-barrels.ts'

export default defineConfig({
  plugins: [
    tailwindcss(),
    reactRouter(),
    leaveSchemasOut(),
    shortenContracts(),
    skipBarrels(),
    shortenIcons(),
    leaveLoadedStylesOut(),
  ],
  publicDir: 'web/public',
  // Found at the start of development: one found later reloads the page during use.
  optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!web/**/*.test.ts'] },
  // Built files find each other beside themselves, whatever the base path is (web/lib/base-path.ts). Fonts of pages are
  // named by the server too, which must write the same address.
  experimental: {
    renderBuiltUrl: (file, { hostType }) =>
      hostType === 'css' || (hostType === 'js' && /\.(css|js)$/.test(file)) ? { relative: true } : undefined,
  },
  build: {
    // CSS keeps light-dark() and oklch() as written: the browsers of the last two years know them.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The strict policy forbids data: scripts and keeps fonts cacheable.
    assetsInlineLimit: 0,
    modulePreload: { resolveDependencies: choosePreloaded },
  },
  // The script of public pages (web/app/site/script) is bundled as a worker is: apart from the app.
  worker: { format: 'es', plugins: () => [leaveSchemasOut(), shortenContracts(), shortenIcons()] },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: { codeSplitting: { groups: sharedModules } },
          // Schemas that nothing uses any more are left out.
          treeshake: { manualPureFunctions: ['Type', 'nullable', 'line', 'route'] },
        },
      },
    },
  },
})
