import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/checks/longest-first.ts'

// Tests start dozens of processes, each of which would compile the server's modules again. As `npm start` keeps them.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'compiled')

/** Tests stand beside the code; those that start the whole product, beside its commands and its browser tests. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['{contract,db,server,web,widget,doubles,cli,scripts,e2e,deploy}/**/*.test.{ts,tsx}'],
    // Scenarios are for the browser.
    exclude: ['node_modules/**', 'widget/scenarios/**'],
    globalSetup: ['server/testing/global-setup.ts'],
    // Ends a test that hangs. How fast the product must be is asserted within tests.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // How long a condition may take to come true. The default, a second, is too short on a machine with other work.
    expect: { poll: { timeout: 10_000 } },
    // On two cores: PostgreSQL works beside them, and some files mostly wait.
    maxWorkers: 3,
    // A worker loads the server's modules once, not for each file, which was a third of all processor time.
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
    sequence: { sequencer: LongestFirst },
  },
})
