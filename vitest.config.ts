import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/checks/longest-first.ts'

/** Tests stand beside the code. Those that start the whole product take a minute and run in a project of their own. */
const wholeProduct = ['{scripts,e2e}/**/*.test.ts']

export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Two cores, and PostgreSQL works beside them.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'code',
          // Scenarios are for the browser.
          exclude: ['widget/scenarios/**'],
          include: ['{contract,db,server,web,widget,doubles}/**/*.test.{ts,tsx}'],
          globalSetup: ['server/testing/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'commands',
          include: wholeProduct,
          globalSetup: ['server/testing/global-setup.ts'],
          fileParallelism: false,
        },
      },
    ],
  },
})
