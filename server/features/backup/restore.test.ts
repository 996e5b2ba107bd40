import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDiskStorage } from '#server/platform/storage/disk-storage.ts'
import { createBlankDatabase, createTestDatabase } from '#server/testing/database.ts'
import { fillRandomly, hashFiles, hashRows } from '#server/testing/random-instance.ts'
import { makeBackup } from './make-backup.ts'
import { openDiskTarget } from './places/disk-target.ts'
import { openSource } from './places/open-source.ts'
import { restore } from './restore.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-backup-'))
})
afterAll(() => rm(folder, { recursive: true }))

const silent = { info: () => {}, warn: () => {} }

describe('a backup and its restore', () => {
  it('gives the same rows and files', async () => {
    const source = await createTestDatabase()
    const target = await createBlankDatabase()
    const client = new pg.Client({ connectionString: source.url })
    await client.connect()
    const storage = createDiskStorage(join(folder, 'files'))
    await fillRandomly(client, storage, 1)
    const rows = await hashRows(client)
    const files = await hashFiles(client, storage)
    const path = join(folder, 'one.tar')
    await makeBackup({
      url: source.url,
      storage,
      dataDir: folder,
      appVersion: '1.0.0',
      passphrase: null,
      openTarget: (estimatedBytes) => openDiskTarget(path, { estimatedBytes, floorBytes: 0 }),
    })
    await client.end()
    const restoredStorage = createDiskStorage(join(folder, 'restored'))
    await restore(await openSource(path, { s3: null, stdin: process.stdin }), {
      url: target.url,
      storage: restoredStorage,
      dataDir: null,
      passphrase: null,
      log: silent,
    })
    const other = new pg.Client({ connectionString: target.url })
    await other.connect()
    expect(await hashRows(other)).toEqual(rows)
    expect(await hashFiles(other, restoredStorage)).toEqual(files)
    await other.end()
    await source.drop()
    await target.drop()
  })
})
