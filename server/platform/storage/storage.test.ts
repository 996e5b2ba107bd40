import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3Double, startS3Double } from '#doubles/s3.ts'
import { loadConfig } from '#server/config.ts'
import { createDiskStorage } from './disk-storage.ts'
import { openStorage } from './open-storage.ts'
import { createS3Storage } from './s3-storage.ts'
import { derivedKey, FileMissingError, type Storage } from './storage.ts'

let folder: string
let double: S3Double
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-storage-'))
  double = await startS3Double()
})
afterAll(async () => {
  await double.stop()
  await rm(folder, { recursive: true })
})

const newKey = () => `${randomUUID()}/${randomUUID()}`

async function* pieces(...parts: (Uint8Array | string)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part
}

/** Yields some bytes, then fails like a connection. */
async function* broken(...parts: string[]): AsyncIterable<Uint8Array> {
  yield* pieces(...parts)
  throw new Error('cut off')
}

async function listKeys(storage: Storage): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storage.list()) keys.push(key)
  return keys
}

const stores: Record<string, () => Storage> = {
  'a disk': () => createDiskStorage(join(folder, 'files')),
  'a bucket': () => {
    const { s3 } = loadConfig(double.settings)
    if (!s3) throw new Error('no bucket is configured')
    return createS3Storage(s3)
  },
}

describe.each(Object.entries(stores))('%s', (_, open) => {
  let storage: Storage
  beforeAll(() => {
    storage = open()
  })

  it('stores a file in pieces and assembles it, idempotently', async () => {
    const key = newKey()
    expect(await storage.received(key)).toBe(0)
    expect(await storage.append(key, pieces('12', '34'), 0)).toBe(4)
    expect(await storage.append(key, pieces(), 4)).toBe(4)
    expect(await storage.append(key, pieces('567'), 4)).toBe(7)
    expect(await storage.received(key)).toBe(7)
    await storage.finish(key)
    await storage.finish(key)
    expect(await storage.stat(key)).toEqual({ bytes: 7 })
    expect((await buffer(await storage.read(key))).toString()).toBe('1234567')
  })

  it('keeps the bytes received before a connection broke', async () => {
    const key = newKey()
    await expect(storage.append(key, broken('12', '34'), 0)).rejects.toThrow('cut off')
    expect(await storage.received(key)).toBe(4)
    await storage.append(key, pieces('5'), 4)
    await storage.finish(key)
    expect((await buffer(await storage.read(key))).toString()).toBe('12345')
  })

  it('keeps large files byte for byte, and returns ranges of them', async () => {
    const key = newKey()
    const bytes = randomBytes(20_000_000)
    const chunks = Array.from({ length: 200 }, (_unused, index) =>
      bytes.subarray(index * 100_000, (index + 1) * 100_000),
    )
    await storage.append(key, pieces(...chunks), 0)
    await storage.finish(key)
    expect((await buffer(await storage.read(key))).equals(bytes)).toBe(true)
    const part = await buffer(await storage.read(key, { start: 9_999_999, end: 10_000_001 }))
    expect(part.equals(bytes.subarray(9_999_999, 10_000_002))).toBe(true)
    expect((await storage.withLocalFile(key, (path) => readFile(path))).equals(bytes)).toBe(true)
  })

  it('reports a missing file', async () => {
    const key = newKey()
    expect(await storage.stat(key)).toBeUndefined()
    await expect(storage.read(key)).rejects.toThrow(FileMissingError)
    await expect(storage.withLocalFile(key, async () => {})).rejects.toThrow(FileMissingError)
    await storage.remove(key)
  })

  it('removes a complete or incomplete file with its derivatives', async () => {
    const [whole, half, other] = [newKey(), newKey(), newKey()]
    const made = join(folder, 'made')
    await writeFile(made, 'made')
    for (const key of [whole, half, other]) await storage.append(key, pieces('1'), 0)
    for (const key of [whole, other]) {
      await storage.finish(key)
      for (const form of ['mp4', 'jpg'] as const) await storage.put(derivedKey(key, form), made)
    }
    expect(await listKeys(storage)).toEqual(expect.arrayContaining([whole, half, other]))
    for (const key of [whole, half]) await storage.remove(key)
    const left = await listKeys(storage)
    expect(left).toContain(other)
    expect(left).not.toContain(whole)
    expect(left).not.toContain(half)
    expect(await storage.stat(derivedKey(whole, 'mp4'))).toBeUndefined()
    expect(await storage.stat(derivedKey(other, 'mp4'))).toEqual({ bytes: 4 })
  })
})

describe('a disk', () => {
  it('refuses foreign keys, and makes its files readable by the owner only', async () => {
    const storage = createDiskStorage(join(folder, 'own'))
    for (const key of ['../../etc/passwd', 'x', `${randomUUID()}/../${randomUUID()}`, `/${randomUUID()}`]) {
      await expect(storage.read(key)).rejects.toThrow('is not a file key')
      await expect(storage.remove(key)).rejects.toThrow('is not a file key')
    }
    const key = newKey()
    await storage.append(key, pieces('1'), 0)
    const { stat } = await import('node:fs/promises')
    expect((await stat(join(folder, 'own', key))).mode & 0o777).toBe(0o600)
  })

  it('leaves no draft behind when it can’t store a file', async () => {
    const storage = createDiskStorage(join(folder, 'drafts'))
    const key = newKey()
    await expect(storage.put(key, join(folder, 'nowhere'))).rejects.toThrow('ENOENT')
    expect(await readdir(join(folder, 'drafts', key.split('/')[0] ?? ''))).toEqual([])
  })
})

describe('openStorage', () => {
  it('is a bucket where one is configured, and names the missing half of a key', () => {
    expect(() => openStorage(loadConfig({ ...double.settings }))).not.toThrow()
    expect(() => loadConfig({ ...double.settings, S3_SECRET_ACCESS_KEY: '' })).toThrow(
      'S3_SECRET_ACCESS_KEY is missing',
    )
    expect(() => loadConfig({ ...double.settings, S3_ACCESS_KEY_ID: '' })).toThrow('S3_ACCESS_KEY_ID is missing')
  })
})
