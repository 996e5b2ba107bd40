import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** Quiet, and without the sandbox where there is none to have: root in a container. */
export const chromiumFlags = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Where there is no graphics card, drawing as one would takes a fifth more of the processor.
  '--disable-gpu',
  // Customers' websites have names of their own; here all of them are this machine.
  '--host-resolver-rules=MAP *.example 127.0.0.1',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** What needs a whole browser: recording, real pixels of the screen, pages kept in memory. */
export const wholeBrowserTests = [
  'e2e/capture-{mishaps,modes}.e2e.ts',
  'widget/scenarios/{looks,page-cache,recording}/*.e2e.ts',
  'widget/scenarios/capture/real-pixels.e2e.ts',
  'widget/scenarios/panel/attachments.e2e.ts',
]

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** A Chromium on this machine: CHROMIUM_PATH, else the system's, else Playwright's own. */
export function findChromium(): string | undefined {
  const given = process.env.CHROMIUM_PATH
  if (given) return given
  return (
    [...listInPath(names), ...places].find(isExecutable) ??
    (existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined)
  )
}

/** Chromium without windows, on this machine: it opens a page with two thirds of the processor time. */
export function findHeadlessShell(): string | undefined {
  return listInPath(['chromium-headless-shell', 'chrome-headless-shell']).find(isExecutable)
}

function listInPath(programs: readonly string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return programs.flatMap((program) => folders.map((folder) => join(folder, program)))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
