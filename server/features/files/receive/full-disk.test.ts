import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

const megabyte = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'earshot-full-'))
const mount = (options: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
let server: TestServer
let widgetKey: string
/** Mounting a file system takes root. */
const mayMount = process.getuid?.() === 0 && tryToMount()

function tryToMount(): boolean {
  try {
    mount('size=1m')
    return true
  } catch {
    return false
  }
}

beforeAll(async () => {
  if (!mayMount) return
  // The floor refuses long before a disk is full; here the writes themselves fail.
  server = await startTestServer({
    DATA_DIR: folder,
    DISK_FLOOR_UPLOAD_MEGABYTES: '0',
    DISK_FLOOR_SUBMISSION_MEGABYTES: '0',
  })
  const { organizationId = '' } = await createUser(server.client)
  widgetKey = (await createProject(server.client, { organizationId })).widgetKey
})
afterAll(async () => {
  await server?.stop()
  if (mayMount) execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
  rmSync(folder, { recursive: true, force: true })
})

const tus = { 'tus-resumable': '1.0.0' }
const encode = (text: string) => Buffer.from(text).toString('base64')

describe.skipIf(!mayMount)('an upload on a full disk', () => {
  it('is answered with a problem that says when to try again, and continues where the disk was full', async () => {
    const id = randomUUID()
    const bytes = Buffer.from('All of it. '.repeat((2 * megabyte) / 11))
    const created = await fetch(`${server.url}/e/${widgetKey}/uploads`, {
      method: 'POST',
      headers: {
        ...tus,
        'upload-length': String(bytes.length),
        'upload-metadata': `id ${encode(id)},kind ${encode('file')},name ${encode('all.txt')}`,
      },
    })
    expect(created.status).toBe(201)
    const address = `${server.url}/e/${widgetKey}/uploads/${id}`
    const send = (offset: number) =>
      fetch(address, {
        method: 'PATCH',
        headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
        body: bytes.subarray(offset),
      })
    const readOffset = async () =>
      Number((await fetch(address, { method: 'HEAD', headers: tus })).headers.get('upload-offset'))

    const refused = await send(0)
    expect([503, 507]).toContain(refused.status)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('content-type')).toContain('application/problem+json')
    expect(await refused.json()).toMatchObject({ status: refused.status, requestId: expect.any(String) })
    const { rows } = await server.client.query('select state from uploads where id = $1', [id])
    expect(rows).toEqual([{ state: 'receiving' }])

    mount('remount,size=20m')
    const offset = await readOffset()
    expect(offset).toBeLessThanOrEqual(megabyte)
    expect((await send(offset)).status).toBe(204)
    const files = await readdir(join(folder, 'files'), { recursive: true })
    const stored = await Promise.all(
      files.map(async (name) => {
        const path = join(folder, 'files', name)
        return (await stat(path)).isFile() ? [await readFile(path)] : []
      }),
    )
    expect(stored.flat().filter((content) => content.equals(bytes))).toHaveLength(1)
  })
})
