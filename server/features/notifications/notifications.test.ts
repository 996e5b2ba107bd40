import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NotificationPreferences } from '#contract/notifications.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { loadInstanceSecret } from '#server/platform/secret/instance-secret.ts'
import { type BuiltUser, createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { createNotificationJobs } from './notifications.jobs.ts'
import { type NewNotification, recordNotifications } from './notifications.queries.ts'
import { createUnsubscribeLinks } from './unsubscribe-link.ts'

const instanceSecret = 'a secret that only this test knows'

let server: TestServer
let database: ReturnType<typeof openDatabase>
let owner: BuiltUser
let ownerToken: string
let organizationId: string
let projectId: string
let run: (job: string, payload?: unknown) => Promise<void>

beforeAll(async () => {
  server = await startTestServer({ INSTANCE_SECRET: instanceSecret })
  const log = createLog({ level: 'error', destination: { write: () => {} } })
  database = openDatabase({ url: server.databaseUrl, log, maxConnections: 3 })
  owner = await createUser(server.client, { fullName: 'Olga Owner' })
  organizationId = owner.organizationId ?? ''
  ownerToken = await server.signIn(owner)
  projectId = (await createProject(server.client, { organizationId, name: 'Shop' })).id
  const secret = await loadInstanceSecret({ dataDir: '', configured: instanceSecret })
  const links = createUnsubscribeLinks(secret.deriveKey('addresses that unsubscribe'))
  const jobs = createNotificationJobs({ database, links, appUrl: server.url })
  run = async (name, payload = {}) => {
    await jobs.find((job) => job.name === name)?.run(payload)
  }
})

afterAll(async () => {
  await database.close()
  await server.stop()
})

async function join() {
  const member = await createMember(server.client, { organizationId, role: 'member' })
  const token = await server.signIn(member)
  const path = `/api/v1/organizations/${organizationId}`
  return {
    member,
    token,
    list: async () => (await server.call(`${path}/notifications`, { token })).json() as Promise<Listed>,
    mark: (body: unknown) => server.call(`${path}/notifications/marks`, { token, body }),
    prefer: (body: unknown) => server.call(`${path}/notification-preferences`, { method: 'PATCH', token, body }),
    mails: async () => (await server.mails()).filter(({ to }) => to === member.email),
    mailNotifications: () => run('mail_notifications', { organizationId, userId: member.id }),
  }
}

interface Listed {
  items: { id: string; kind: string; number: number; isRead: boolean; actorName: string | null; itemCount: number }[]
  unreadCount: number
  nextCursor: string | null
  newFeedback: { projectId: string; count: number }[]
}

/** As from an event caused by the owner. */
const record = (...notifications: NewNotification[]) =>
  database.asSystem('test', (tx) =>
    recordNotifications(tx, { id: randomUUID(), organizationId, actorUserId: owner.id }, notifications),
  )
const make = (overrides: object = {}) => createFeedback(server.client, { organizationId, projectId, ...overrides })
/** An item old enough for an email. */
const makeSettled = async (overrides: object = {}) => {
  const item = await make(overrides)
  await server.client.query(`update feedback set created_at = now() - interval '40 seconds' where id = $1`, [item.id])
  await server.client.query(`update memberships set joined_at = now() - interval '1 hour'`)
  return item
}

describe('notifications', () => {
  it('are listed for their member, and marked read, unread and all read', async () => {
    const { member, list, mark } = await join()
    const item = await make()
    await record({ userId: member.id, kind: 'assigned', feedbackId: item.id, itemCount: 3 })
    await record({ userId: member.id, kind: 'mentioned', feedbackId: item.id })
    const { items, unreadCount } = await list()
    expect(unreadCount).toBe(2)
    expect(items.map(({ kind, actorName, itemCount }) => [kind, actorName, itemCount])).toEqual([
      ['mentioned', 'Olga Owner', 1],
      ['assigned', 'Olga Owner', 3],
    ])
    expect((await mark({ read: true, ids: [items[0]?.id] })).status).toBe(204)
    expect((await list()).items.map(({ isRead }) => isRead)).toEqual([true, false])
    await mark({ read: false, ids: [items[0]?.id] })
    expect((await list()).unreadCount).toBe(2)
    await mark({ read: true, all: true })
    expect((await list()).unreadCount).toBe(0)
  })

  it('skip the actor’s own actions, and people of other organisations', async () => {
    const stranger = await createUser(server.client)
    const item = await make()
    await record(
      { userId: owner.id, kind: 'assigned', feedbackId: item.id },
      { userId: stranger.id, kind: 'assigned', feedbackId: item.id },
    )
    const { rows } = await server.client.query('select from notifications where user_id = any($1)', [
      [owner.id, stranger.id],
    ])
    expect(rows).toHaveLength(0)
  })

  it('come page by page', async () => {
    const { member, token, list } = await join()
    const item = await make()
    for (let n = 0; n < 3; n += 1) {
      await record({ userId: member.id, kind: 'mentioned', feedbackId: item.id })
    }
    const all = (await list()).items.map(({ id }) => id)
    const path = `/api/v1/organizations/${organizationId}/notifications?limit=2`
    const first = (await (await server.call(path, { token })).json()) as Listed
    const rest = (await (await server.call(`${path}&cursor=${first.nextCursor}`, { token })).json()) as Listed
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(all)
    expect(rest.nextCursor).toBeNull()
    expect((await server.call(`${path}&cursor=AAAA`, { token })).status).toBe(400)
  })

  it('show new feedback until it is opened or marked', async () => {
    const { list, mark } = await join()
    const item = await make()
    expect((await list()).newFeedback).toMatchObject([{ projectId, count: 1 }])
    const spam = await make()
    await server.client.query(`update feedback set spam_reason = 'honeypot' where id = $1`, [spam.id])
    expect((await list()).newFeedback).toMatchObject([{ count: 1 }])
    await server.client.query('update feedback set first_viewed_at = now() where id = $1', [item.id])
    expect((await list()).newFeedback).toEqual([])
    await make()
    await mark({ read: true, projectId })
    expect((await list()).newFeedback).toEqual([])
  })
})

describe('emails of a member’s notifications', () => {
  it('count new feedback of each project also where one has more than is read at once', async () => {
    const { list, mark } = await join()
    const { id: quietId } = await createProject(server.client, { organizationId, name: 'Quiet' })
    await mark({ read: true, all: true })
    await make({ projectId: quietId })
    const addMany = (count: number) =>
      server.client.query(
        `insert into feedback (organization_id, project_id, id, number, type, source, message, page_url, content_hash)
         select $1, $2, gen_random_uuid(), 100000 + n, 'bug', 'widget', 'Busy', 'https://example.com/', sha256('busy')
         from generate_series($3::int, $4::int) as n`,
        [organizationId, projectId, count - 149, count],
      )
    await addMany(150)
    const expected = [
      { projectId, count: 100 },
      { projectId: quietId, count: 1 },
    ]
    expect((await list()).newFeedback).toMatchObject(expected)
    // The item of the quiet project is older than the thousand that are read.
    for (let count = 300; count <= 1200; count += 150) await addMany(count)
    expect((await list()).newFeedback).toMatchObject(expected)
    await server.client.query("delete from feedback where message = 'Busy' or project_id = $1", [quietId])
  })

  it('are sent once, with one-click unsubscribing, however often the job runs', async () => {
    const { member, mails, mailNotifications } = await join()
    const item = await make({ message: 'Read <b>this</b> at https://evil.example/x' })
    await record({ userId: member.id, kind: 'assigned', feedbackId: item.id })
    await mailNotifications()
    await mailNotifications()
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.subject).toContain(`assigned #${item.number} to you`)
    expect(mail?.html).toContain('&lt;b&gt;this')
    expect(mail?.text).not.toContain('https://evil.example')
    const links = [...(mail?.html ?? '').matchAll(/href="([^"]+)"/g)].map(([, url = '']) => new URL(url).origin)
    expect(new Set(links)).toEqual(new Set([server.url]))
    const { rows } = await server.client.query('select unsubscribe_url from app.emails where to_address = $1', [
      member.email,
    ])
    expect(rows[0].unsubscribe_url).toMatch(/\/unsubscribe\/[\w-]{66}$/)
  })

  it('are one email for several notifications, and none for read ones', async () => {
    const { member, mails, mailNotifications, mark } = await join()
    const [a, b, c] = [await make(), await make(), await make()]
    for (const { id } of [a, b, c]) {
      await record({ userId: member.id, kind: 'mentioned', feedbackId: id })
    }
    await mark({ read: true, feedbackId: c.id })
    await mailNotifications()
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.text).toContain(`#${a.number}`)
    expect(mail?.text).toContain('2 new notifications')
  })

  it('are deleted with the one item that they are about', async () => {
    const { member, mails, mailNotifications } = await join()
    const item = await make()
    await record({ userId: member.id, kind: 'assigned', feedbackId: item.id })
    await mailNotifications()
    expect(await mails()).toHaveLength(1)
    await server.client.query('delete from feedback where id = $1', [item.id])
    expect(await mails()).toEqual([])
  })

  it('wait and are sent together after ten in ten minutes', async () => {
    const { member, mails, mailNotifications } = await join()
    const item = await make()
    for (let n = 0; n < 13; n += 1) {
      await record({ userId: member.id, kind: 'mentioned', feedbackId: item.id })
      await mailNotifications()
    }
    expect(await mails()).toHaveLength(10)
    await server.client.query(`update notification_settings set mails_since = now() - interval '11 minutes'`)
    await mailNotifications()
    expect((await mails()).at(-1)?.text).toContain('3 new notifications')
  })

  it.each(['the preference', 'leaving', 'a ban'])('are stopped by %s', async (what) => {
    const { member, mails, mailNotifications, prefer } = await join()
    const item = await make()
    if (what === 'the preference') await prefer({ projects: [{ projectId, assigned: { mail: false } }] })
    await record({ userId: member.id, kind: 'assigned', feedbackId: item.id })
    if (what === 'leaving') await server.client.query('delete from memberships where user_id = $1', [member.id])
    if (what === 'a ban') {
      await server.client.query(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [
        member.id,
      ])
    }
    await mailNotifications()
    expect(await mails()).toEqual([])
  })

  it('omit the visitor’s message if the organisation sets that', async () => {
    const { member, mails, mailNotifications } = await join()
    const path = `/api/v1/organizations/${organizationId}/mail-content`
    const put = (mailsHoldWords: boolean) =>
      server.call(path, { method: 'PUT', token: ownerToken, body: { mailsHoldWords } })
    expect((await put(false)).status).toBe(204)
    const item = await make({ message: 'my secret words' })
    await record({ userId: member.id, kind: 'assigned', feedbackId: item.id })
    await mailNotifications()
    await put(true)
    const [mail] = await mails()
    expect(`${mail?.html}${mail?.text}${mail?.subject}`).not.toContain('secret words')
    expect(mail?.text).toContain(`#${item.number}`)
  })
})

describe('emails of new feedback', () => {
  it('contain the counts per project, messages and a settings link, as text and HTML', async () => {
    const reader = await join()
    const { id: other } = await createProject(server.client, { organizationId, name: 'Blog <b>&' })
    for (const id of [projectId, other]) {
      await reader.prefer({ projects: [{ projectId: id, newFeedback: { mail: 'hourly' } }] })
    }
    // Items of earlier tests are marked as emailed.
    await run('mail_hourly_digests')
    const before = (await reader.mails()).length
    const first = await makeSettled({ message: 'The handle comes off.\nIt did so before.' })
    await makeSettled({ message: 'See https://evil.example/now' })
    await makeSettled({ projectId: other, message: 'x'.repeat(400) })
    await server.client.query(
      `update notification_preferences set mailed_until = now() - interval '1 hour'
      where user_id = $1`,
      [reader.member.id],
    )
    await server.client.query(
      `update feedback set first_viewed_at = now()
      where organization_id = $1 and created_at < now() - interval '45 seconds'`,
      [organizationId],
    )
    await run('mail_hourly_digests')
    const [mail] = (await reader.mails()).slice(before)
    const { rows } = await server.client.query('select name from organizations where id = $1', [organizationId])
    expect(mail?.subject).toBe(`${rows[0].name}: 3 new items`)
    expect(mail?.text).toContain(`3 new items in ${rows[0].name}`)
    expect(mail?.text).toContain('Shop: 2 new')
    expect(mail?.text).toContain('Blog <b>&: 1 new')
    expect(mail?.text).toContain(`#${first.number} · Shop\n> The handle comes off.\n> It did so before.\n`)
    expect(mail?.text).toContain(`${server.url}/dashboard/feedback?item=${first.id}`)
    expect(mail?.text).not.toContain('https://evil.example')
    expect(mail?.text).toContain(`${'x'.repeat(300)}…`)
    expect(mail?.text).toContain('every hour')
    expect(mail?.text).toContain(`Notification settings: ${server.url}/dashboard/settings/notifications`)
    expect(mail?.text).toMatch(/Unsubscribe from these emails: \S+\/unsubscribe\/[\w-]{66}/)
    expect(mail?.html).toContain('Blog &lt;b&gt;&amp;')
    expect(mail?.html).toContain('Open the inbox')
  })

  it('are off, instant, hourly or daily, and contain each unread item once', async () => {
    const hourly = await join()
    const off = await join()
    await hourly.prefer({ projects: [{ projectId, newFeedback: { mail: 'hourly' } }] })
    await off.prefer({ projects: [{ projectId, newFeedback: { mail: 'off' } }] })
    const item = await makeSettled({ message: 'The digest holds this' })
    const opened = await makeSettled({ message: 'Someone opened this' })
    await server.client.query('update feedback set first_viewed_at = now() where id = $1', [opened.id])
    // Not while the organisation is closed; after a restore, what was missed.
    const close = (moment: string) =>
      server.client.query(`update organizations set closed_at = ${moment}, delete_after = ${moment} where id = $1`, [
        organizationId,
      ])
    await close(`now() + interval '1 day'`)
    await run('mail_hourly_digests')
    expect(await hourly.mails()).toEqual([])
    await close('null')
    await run('mail_hourly_digests')
    await run('mail_hourly_digests')
    const mails = await hourly.mails()
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain(`#${item.number}`)
    expect(mails[0]?.text).toContain('The digest holds this')
    expect(mails[0]?.text).not.toContain('Someone opened this')
    expect(await off.mails()).toEqual([])
  })

  it('are sent daily at eight in the member’s time zone, and once a day', async () => {
    const early = await join()
    const late = await join()
    const hour = new Date().getUTCHours()
    // POSIX signs are the other way round: Etc/GMT-3 is three hours ahead.
    const zoneAt = (wanted: number) => {
      const ahead = (((wanted - hour) % 24) + 24) % 24
      return ahead <= 12 ? `Etc/GMT-${ahead}` : `Etc/GMT+${24 - ahead}`
    }
    expect((await early.prefer({ timeZone: zoneAt(8) })).status).toBe(200)
    expect((await late.prefer({ timeZone: zoneAt(15) })).status).toBe(200)
    await makeSettled()
    await run('mail_daily_digests')
    await makeSettled()
    await run('mail_daily_digests')
    expect(await early.mails()).toHaveLength(1)
    expect(await late.mails()).toEqual([])
  })

  it('are sent instantly if set, many items as one email', async () => {
    const { prefer, mails } = await join()
    await prefer({ allProjects: { newFeedback: { mail: 'instant' } } })
    for (let n = 0; n < 12; n += 1) await make()
    await server.client.query(`update memberships set joined_at = now() - interval '1 hour'`)
    await server.client.query(`update feedback set created_at = now() - interval '40 seconds'`)
    await run('mail_new_feedback', { organizationId })
    await run('mail_new_feedback', { organizationId })
    expect(await mails()).toHaveLength(1)
    expect((await mails())[0]?.subject).toMatch(/\d+ new items/)
  })
})

describe('unsubscribing', () => {
  async function readMailToken() {
    const who = await join()
    const item = await make()
    await record({ userId: who.member.id, kind: 'assigned', feedbackId: item.id })
    await who.mailNotifications()
    const token = /unsubscribe\/([\w-]{66})/.exec((await who.mails())[0]?.text ?? '')?.[1] ?? ''
    return { ...who, mailToken: token, item }
  }

  it('takes one click in a mailbox, without signing in, and is undone by the link', async () => {
    const { member, mailToken, mails, mailNotifications, item } = await readMailToken()
    const path = `/api/v1/subscriptions/${mailToken}`
    expect(await (await server.call(path)).json()).toMatchObject({ list: 'personal', isSubscribed: true })
    const oneClick = () =>
      fetch(`${server.url}/unsubscribe/${mailToken}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      })
    expect((await oneClick()).status).toBe(204)
    expect((await oneClick()).status).toBe(204)
    expect(await (await server.call(path)).json()).toMatchObject({ isSubscribed: false })
    await record({ userId: member.id, kind: 'mentioned', feedbackId: item.id })
    await mailNotifications()
    expect(await mails()).toHaveLength(1)
    const back = await server.call(path, { method: 'PUT', body: { isSubscribed: true } })
    expect(await back.json()).toMatchObject({ isSubscribed: true })
  })

  it('refuses a token that is changed', async () => {
    const { mailToken } = await readMailToken()
    const changed = `${mailToken.slice(0, 20)}${mailToken[20] === 'A' ? 'B' : 'A'}${mailToken.slice(21)}`
    expect((await server.call(`/api/v1/subscriptions/${changed}`)).status).toBe(404)
    const post = await fetch(`${server.url}/unsubscribe/${changed}`, { method: 'POST' })
    expect(post.status).toBe(404)
  })
})

describe('PATCH …/notification-preferences', () => {
  it('changes what it names and keeps the rest', async () => {
    const { prefer } = await join()
    await prefer({ projects: [{ projectId, newFeedback: { mail: 'instant' }, mentioned: { mail: false } }] })
    const reply = (await (
      await prefer({ timeZone: 'Europe/Berlin', projects: [{ projectId, newFeedback: { app: false } }] })
    ).json()) as NotificationPreferences
    expect(reply).toMatchObject({ timeZone: 'Europe/Berlin', mutedMails: [], mailsHoldWords: true })
    expect(reply.exceptions.find((project) => project.projectId === projectId)).toMatchObject({
      newFeedback: { mail: 'instant', app: false },
      mentioned: { mail: false, app: true },
      assigned: { mail: true, app: true },
    })
  })

  it('applies to all projects, those to come included, but exceptions', async () => {
    const { prefer, token } = await join()
    await prefer({ projects: [{ projectId, assigned: { mail: false } }] })
    await prefer({ allProjects: { newFeedback: { mail: 'off', app: false }, assigned: { mail: true, app: false } } })
    const { id: later } = await createProject(server.client, { organizationId })
    const path = `/api/v1/organizations/${organizationId}/notification-preferences`
    const reply = (await (await server.call(path, { token })).json()) as NotificationPreferences
    expect(reply.allProjects).toMatchObject({
      newFeedback: { mail: 'off', app: false },
      assigned: { mail: true, app: false },
      mentioned: { mail: true, app: true },
    })
    const find = (id: string) => reply.exceptions.find((project) => project.projectId === id)
    expect(find(later)).toBeUndefined()
    expect(find(projectId)).toMatchObject({
      newFeedback: { mail: 'off', app: false },
      assigned: { mail: false, app: false },
    })

    const followed = await prefer({ projects: [{ projectId, asAllProjects: true }] })
    expect((await followed.json()) as NotificationPreferences).toMatchObject({ exceptions: [] })
  })

  it('is no exception to have looked at a project', async () => {
    const { prefer, mark } = await join()
    await mark({ read: true, projectId })
    const reply = (await (
      await prefer({ allProjects: { mentioned: { mail: false } } })
    ).json()) as NotificationPreferences
    expect(reply).toMatchObject({ allProjects: { mentioned: { mail: false } }, exceptions: [] })
  })

  it('refuses a time zone that there is not', async () => {
    const { prefer } = await join()
    const reply = await prefer({ timeZone: 'Mars/Olympus' })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ fields: [{ path: 'body.timeZone' }] })
  })
})

it('deletes notifications after ninety days', async () => {
  const { member, list } = await join()
  const item = await make()
  await record({ userId: member.id, kind: 'assigned', feedbackId: item.id })
  await server.client.query(`update notifications set created_at = now() - interval '91 days' where user_id = $1`, [
    member.id,
  ])
  await run('prune_notifications')
  expect((await list()).items).toEqual([])
})
