import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { prepareDataDir } from './prepare-data-dir.ts'

const folder = mkdtempSync(join(tmpdir(), 'earshot-dir-'))
afterAll(() => rmSync(folder, { recursive: true }))

// Started by root, PostgreSQL passes through the folder as another user.
const expected = process.getuid?.() === 0 ? 0o711 : 0o700
const modeOf = (path: string) => statSync(path).mode & 0o777

describe.skipIf(process.platform === 'win32')('the data folder', () => {
  it('is created for its owner alone, and folders above it as usual', () => {
    const dataDir = join(folder, 'new', 'data')
    const lines: string[] = []
    prepareDataDir(dataDir, (line) => lines.push(line))
    expect(modeOf(dataDir)).toBe(expected)
    expect(modeOf(join(folder, 'new')) & 0o055).toBe(0o055)
    expect(lines).toEqual([])
  })

  it('loses the rights of other users, and the start says so once', () => {
    const dataDir = join(folder, 'wide')
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o775)
    const lines: string[] = []
    for (let start = 0; start < 2; start += 1) prepareDataDir(dataDir, (line) => lines.push(line))
    expect(modeOf(dataDir)).toBe(expected)
    expect(lines).toEqual([
      `Other users could read the data folder ${dataDir}: its mode was 0775 and is ${expected.toString(8).padStart(4, '0')} now.`,
    ])
  })
})
