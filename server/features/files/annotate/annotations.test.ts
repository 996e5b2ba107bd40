import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maxAnnotations } from '#contract/annotations.ts'
import type { Attachment } from '#contract/files.ts'
import { createMember } from '#server/testing/builders.ts'
import { type FilesFixture, makePng, openFilesFixture } from '#server/testing/files-fixture.ts'
import { sendFile } from '#server/testing/uploads.ts'

let fixture: FilesFixture
let itemId: string
let pictureId: string

beforeAll(async () => {
  fixture = await openFilesFixture()
  const bytes = makePng(64, 48)
  pictureId = await sendFile(fixture.server, fixture.project.widgetKey, { kind: 'screenshot', bytes, name: 'cart.png' })
  itemId = await fixture.submit([{ id: pictureId, kind: 'screenshot', name: 'cart.png' }])
  await fixture.settle(itemId)
})

afterAll(() => fixture.stop())

const itemPath = (feedbackId = itemId) =>
  `/api/v1/organizations/${fixture.project.organizationId}/feedback/${feedbackId}`

async function annotate(
  body: Uint8Array,
  { id = randomUUID() as string, of = pictureId, feedbackId = itemId, token = fixture.token, headers = {} } = {},
): Promise<Response> {
  return fetch(`${fixture.server.url}${itemPath(feedbackId)}/annotations?id=${id}&of=${of}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream', ...headers },
    body: new Uint8Array(body),
  })
}
const remove = (id: string, feedbackId = itemId) =>
  fixture.server.call(`${itemPath(feedbackId)}/annotations/${id}`, { method: 'DELETE', token: fixture.token })
const codeOf = async (reply: Response) => ((await reply.json()) as { code: string }).code
const attachments = async () => (await fixture.readItem(itemId)).attachments

describe('POST …/feedback/{feedbackId}/annotations', () => {
  it('attaches the picture with its author, keeps the original, and is safe to repeat', async () => {
    const id = randomUUID()
    const drawn = makePng(64, 50)
    const reply = await annotate(drawn, { id })
    expect(reply.status, await reply.clone().text()).toBe(201)
    const made = (await reply.json()) as Attachment
    expect(made).toMatchObject({ id, name: 'cart-annotated', annotation: { of: pictureId, byName: 'Ada Example' } })
    expect((await annotate(drawn, { id })).status).toBe(200)
    const [original, annotated, ...others] = await fixture.settle(itemId)
    expect(others).toEqual([])
    expect(original).toMatchObject({ id: pictureId, state: 'ready', width: 64, height: 48, annotation: null })
    expect(annotated).toMatchObject({
      id,
      kind: 'screenshot',
      state: 'ready',
      mime: 'image/png',
      width: 64,
      height: 50,
    })
    const served = await fetch(new URL(annotated?.url ?? '', fixture.server.url))
    expect(Buffer.from(await served.arrayBuffer()).equals(drawn)).toBe(true)
    const { history } = await fixture.readItem(itemId)
    expect(history.filter(({ field }) => field === 'annotation')).toMatchObject([
      { from: null, to: 'cart-annotated', actorName: 'Ada Example' },
    ])

    expect((await remove(id)).status).toBe(204)
    expect((await remove(id)).status).toBe(204)
    expect((await attachments()).map((each) => each.id)).toEqual([pictureId])
    expect((await fetch(served.url, { headers: { 'cache-control': 'no-cache' } })).status).toBe(404)
    expect((await fixture.readItem(itemId)).history.at(-1)).toMatchObject({ field: 'annotation', to: null })
  })

  it('refuses content that is no picture', async () => {
    const id = randomUUID()
    expect((await annotate(Buffer.from('<svg onload="alert(1)"/>'), { id })).status).toBe(201)
    await fixture.settle(itemId)
    expect((await attachments()).find((each) => each.id === id)).toMatchObject({ state: 'refused', url: null })
    await remove(id)
  })

  it('refuses too many bytes, other pictures, another use of the id and the trash, and keeps nothing of them', async () => {
    const stored = async () =>
      (await fixture.server.client.query('select count(*) as n from uploads where not is_claimed')).rows[0].n as number
    const before = await stored()
    const tooLong = await annotate(new Uint8Array(15 * 1024 * 1024 + 1))
    expect([tooLong.status, await codeOf(tooLong)]).toEqual([413, 'file_too_large'])
    expect(await codeOf(await annotate(makePng(2, 2), { of: randomUUID() }))).toBe('file_not_found')
    expect(await codeOf(await annotate(makePng(2, 2), { feedbackId: randomUUID() }))).toBe('feedback_not_found')
    expect(await codeOf(await annotate(makePng(2, 2), { id: pictureId }))).toBe('id_reused')
    expect((await annotate(makePng(2, 2), { headers: { 'content-type': 'image/png' } })).status).toBe(415)
    expect((await annotate(makePng(2, 2), { headers: { 'content-encoding': 'gzip' } })).status).toBe(415)
    const change = (deleted: boolean) =>
      fixture.server.call(itemPath(), { method: 'PATCH', token: fixture.token, body: { deleted } })
    await change(true)
    expect(await codeOf(await annotate(makePng(2, 2)))).toBe('item_in_trash')
    await change(false)
    expect(await stored()).toBe(before)
  })

  it('ends at a number of annotated pictures per item, and deletes no file of a visitor', async () => {
    const { client } = fixture.server
    await client.query(
      `insert into feedback_attachments (organization_id, id, feedback_id, kind, annotates, added_by)
       select $1, gen_random_uuid(), $2, 'screenshot', $3, $3 from generate_series(1, $4)`,
      [fixture.project.organizationId, itemId, pictureId, maxAnnotations],
    )
    expect(await codeOf(await annotate(makePng(2, 2)))).toBe('too_many_annotations')
    await client.query('delete from feedback_attachments where annotates is not null')
    expect((await remove(pictureId)).status).toBe(204)
    expect((await attachments()).map((each) => each.id)).toEqual([pictureId])
    const { organizationId } = fixture.project
    const colleague = await fixture.server.signIn(await createMember(client, { organizationId, role: 'viewer' }))
    expect((await annotate(makePng(2, 2), { token: colleague })).status).toBe(201)
  })
})
