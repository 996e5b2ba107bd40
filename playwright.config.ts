import { defineConfig } from '@playwright/test'
import { chromiumFlags, findChromium, findHeadlessShell, wholeBrowserTests } from './e2e/chromium.ts'

const chromium = findChromium()
/** A browser of this machine, or Playwright's own. */
const launch = (path: string | undefined) => ({
  launchOptions: { args: chromiumFlags, ...(path ? { executablePath: path } : {}) },
})

const testFiles = ['e2e/**/*.e2e.ts', 'widget/scenarios/**/*.e2e.ts']

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  globalSetup: './e2e/global-setup.ts',
  fullyParallel: false,
  // Browsers wait more than they work: two files at a time take half as long, on two cores too.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Ends a test that hangs. How fast the product must be is asserted within tests.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    screenshot: 'only-on-failure',
    // A trace of each test takes half as long again. To look into one: --trace retain-on-failure
    trace: 'off',
  },
  projects: [
    { name: 'whole browser', testMatch: wholeBrowserTests, use: launch(chromium) },
    {
      name: 'headless shell',
      testMatch: testFiles,
      testIgnore: wholeBrowserTests,
      use: launch(findHeadlessShell() ?? chromium),
    },
  ],
})
