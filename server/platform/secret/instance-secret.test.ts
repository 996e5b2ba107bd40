import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadInstanceSecret } from './instance-secret.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'earshot-secret-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const load = (configured: string | null = null) => loadInstanceSecret({ dataDir, configured })

describe('the instance’s secret', () => {
  it('is created once by many simultaneous starts, readable by its owner only', async () => {
    const secrets = await Promise.all(Array.from({ length: 8 }, () => load()))
    const keys = new Set(secrets.map((secret) => secret.deriveKey('a').toString('hex')))
    expect(keys.size).toBe(1)
    expect((await load()).deriveKey('a').toString('hex')).toBe([...keys][0])
    expect((await stat(join(dataDir, 'instance-secret'))).mode & 0o777).toBe(0o600)
  })

  it('derives a different key for each purpose, and is never returned', async () => {
    const secret = await load()
    const keys = ['a', 'b'].map((purpose) => secret.deriveKey(purpose).toString('base64url'))
    const file = (await readFile(join(dataDir, 'instance-secret'), 'utf8')).trim()
    expect(new Set([...keys, file]).size).toBe(3)
  })

  it('is the configured one if set, without disk access', async () => {
    const first = await load('x'.repeat(32))
    expect(first.deriveKey('a')).toEqual((await load('x'.repeat(32))).deriveKey('a'))
    expect(first.deriveKey('a')).not.toEqual((await load()).deriveKey('a'))
  })

  it('explains how to fix a damaged file', async () => {
    await writeFile(join(dataDir, 'instance-secret'), 'short')
    await expect(load()).rejects.toThrow(
      /instance-secret can't be read: it is damaged\. Restore it .* integrations must be connected again/,
    )
  })
})
