import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readClusterMajor } from './cluster.ts'
import { chooseOldName, declareReady, finishExchange, hasCluster, stagingFolder } from './exchange-cluster.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'earshot-exchange-'))
  const staging = stagingFolder(dataDir)
  for (const [folder, version] of [
    [dataDir, '17'],
    [staging, '18'],
  ] as const) {
    mkdirSync(join(folder, 'postgres'), { recursive: true })
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), `${version}\n`)
    writeFileSync(join(folder, 'postgres.json'), version)
  }
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const majorOf = (name: string) => readClusterMajor(join(dataDir, name))
const accessOf = (name: string) => readFileSync(join(dataDir, `${name}.json`), 'utf8')

describe('finishExchange', () => {
  it('leaves the old cluster where it is until the new one is whole', () => {
    finishExchange(dataDir)
    expect([majorOf('postgres'), accessOf('postgres')]).toEqual([17, '17'])
  })

  // What a kill leaves: so many of the renames were made.
  it.each([0, 1, 2, 3, 4])('completes an exchange of which %i steps were made', (steps) => {
    declareReady(dataDir, 'postgres-17-old')
    const renames = [
      ['postgres', 'postgres-17-old'],
      ['postgres.json', 'postgres-17-old.json'],
      ['postgres-upgrade/postgres.json', 'postgres.json'],
      ['postgres-upgrade/postgres', 'postgres'],
    ] as const
    for (const [from, to] of renames.slice(0, steps)) renameSync(join(dataDir, from), join(dataDir, to))
    expect(hasCluster(dataDir)).toBe(true)
    finishExchange(dataDir)
    finishExchange(dataDir)
    expect([majorOf('postgres'), accessOf('postgres')]).toEqual([18, '18'])
    expect([majorOf('postgres-17-old'), accessOf('postgres-17-old')]).toEqual([17, '17'])
    expect(existsSync(stagingFolder(dataDir))).toBe(false)
  })

  it('completes an exchange of clusters without a file of access, which the next start makes', () => {
    rmSync(join(dataDir, 'postgres.json'))
    declareReady(dataDir, 'postgres-17-old')
    finishExchange(dataDir)
    expect([majorOf('postgres'), accessOf('postgres')]).toEqual([18, '18'])
  })
})

it('an old cluster that was kept before keeps its name', () => {
  expect(chooseOldName(dataDir, 17)).toBe('postgres-17-old')
  mkdirSync(join(dataDir, 'postgres-17-old'))
  expect(chooseOldName(dataDir, 17)).toBe('postgres-17-old-2')
})
