import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { expect, vi } from 'vitest'
import type { FeedbackDetail } from '#contract/feedback.ts'
import type { Attachment } from '#contract/files.ts'
import { createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { type SentFile, sendFile } from '#server/testing/uploads.ts'
import { makeSubmission } from '#server/testing/visitor.ts'

/** A server with its jobs, a project that asks for everything, and its owner. */
export interface FilesFixture {
  readonly server: TestServer
  /** Where the server keeps its data. */
  readonly dataDir: string
  /** For the test's own files. */
  readonly scratch: string
  readonly project: { readonly id: string; readonly widgetKey: string; readonly organizationId: string }
  readonly token: string
  /** Sends an item and returns its id. */
  submit(attachments: readonly { id: string; kind: string; name?: string; missing?: string[] }[]): Promise<string>
  readItem(id: string, token?: string): Promise<FeedbackDetail>
  /** Waits until all files of an item have been looked at. */
  settle(feedbackId: string): Promise<Attachment[]>
  /** Sends one file with one item and waits until it has been looked at. */
  attach(file: SentFile): Promise<Attachment>
  /** The same, for recordings: waits until they can be played everywhere. */
  settlePlayback(feedbackId: string): Promise<Attachment[]>
  attachPlayable(file: SentFile): Promise<Attachment>
  /** Files on the disk that belong to an upload. */
  listStored(id: string): Promise<string[]>
  stop(): Promise<void>
}

/** Limits that no test reaches. */
const generous = {
  UPLOAD_RATE_PER_MINUTE: '1000000',
  UPLOAD_MEGABYTES_PER_HOUR: '1000000',
  INGEST_RATE_PER_MINUTE: '1000000',
}

export async function openFilesFixture(env: Readonly<Record<string, string>> = {}): Promise<FilesFixture> {
  const scratch = await mkdtemp(join(tmpdir(), 'earshot-files-'))
  const dataDir = join(scratch, 'data')
  const server = await startTestServer({ SERVICES: 'web,worker', DATA_DIR: dataDir, ...generous, ...env })
  // The first runs the instance, and would see everything.
  await createUser(server.client)
  const owner = await createUser(server.client)
  const organizationId = owner.organizationId ?? ''
  const token = await server.signIn(owner)
  const { id: projectId, widgetKey } = await createProject(server.client, { organizationId })
  await server.client.query(`update widgets set settings = '{"replay": true}' where key = $1`, [widgetKey])

  const submit: FilesFixture['submit'] = async (attachments) => {
    const id = randomUUID()
    const reply = await fetch(`${server.url}/e/${widgetKey}/submissions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(makeSubmission({ id, message: 'See there.', attachments })),
    })
    expect(reply.status, await reply.text()).toBe(201)
    return id
  }
  const readItem: FilesFixture['readItem'] = async (id, as = token) => {
    const reply = await server.call(`/api/v1/organizations/${organizationId}/feedback/${id}`, { token: as })
    expect(reply.status).toBe(200)
    return (await reply.json()) as FeedbackDetail
  }
  const waitFor = (feedbackId: string, check: (attachment: Attachment) => void) =>
    vi.waitFor(
      async () => {
        const { attachments } = await readItem(feedbackId)
        for (const attachment of attachments) check(attachment)
        return attachments
      },
      { timeout: 25_000, interval: 50 },
    )
  const settle: FilesFixture['settle'] = (feedbackId) =>
    waitFor(feedbackId, ({ state }) => expect(['ready', 'refused']).toContain(state))
  const settlePlayback: FilesFixture['settle'] = (feedbackId) =>
    waitFor(feedbackId, ({ playbackUrl }) => expect(playbackUrl).not.toBeNull())
  const attachUntil = async (file: SentFile, wait: FilesFixture['settle']) => {
    const id = await sendFile(server, widgetKey, file)
    const [attachment] = await wait(await submit([{ id, kind: file.kind }]))
    if (!attachment) throw new Error('the item has no attachment')
    return attachment
  }
  return {
    server,
    dataDir,
    scratch,
    project: { id: projectId, widgetKey, organizationId },
    token,
    submit,
    readItem,
    settle,
    settlePlayback,
    attach: (file) => attachUntil(file, settle),
    attachPlayable: (file) => attachUntil(file, settlePlayback),
    listStored: async (id) => {
      const { rows } = await server.client.query<{ storage_key: string }>(
        'select storage_key from uploads where id = $1',
        [id],
      )
      const [folder = '', name = ''] = rows[0]?.storage_key.split('/') ?? []
      const files = await readdir(join(dataDir, 'files', folder))
      return files.filter((file) => name !== '' && file.startsWith(name)).sort()
    },
    stop: async () => {
      await server.stop()
      await rm(scratch, { recursive: true, force: true })
    },
  }
}

export function makePng(width = 40, height = 30): Buffer {
  return PNG.sync.write(new PNG({ width, height }))
}

/** What follows by a job comes soon; on a busy machine, a little later. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 15_000 })
