import { randomUUID } from 'node:crypto'
import { Check } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AnalyticsName, analyticsEvents } from '#contract/analytics-events.ts'
import type { AuditEntry } from '#contract/audit.ts'
import { auditedEvents, unauditedEvents } from '#contract/audited-events.ts'
import { type EventName, events } from '#contract/events.ts'
import type { Import } from '#contract/imports.ts'
import { findFreePort } from '#doubles/free-port.ts'
import { type AnalyticsReceiver, expectListed, startAnalyticsReceiver } from '#server/testing/analytics-receiver.ts'
import {
  type BuiltUser,
  builtPassword,
  createFeedback,
  createMember,
  createProject,
  createUser,
} from '#server/testing/builders.ts'
import { eventually, type FilesFixture, makePng, openFilesFixture } from '#server/testing/files-fixture.ts'
import { eventActs } from '#server/testing/gather-facts.ts'
import { startReceiver } from '#server/testing/receiver.ts'
import { findPrice, openCustomer, startTestStripe, subscribeAtStripe, type TestStripe } from '#server/testing/stripe.ts'
import { sendFile } from '#server/testing/uploads.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'

/*
 * Every event of the catalogue, caused by the act that it names: one of the acts below, or of a noun's facts. An event
 * without an act fails.
 */

let fixture: FilesFixture
let owner: BuiltUser
let token: string
let organizationId: string
let project: { id: string; widgetKey: string }

let stripe: TestStripe
let analytics: AnalyticsReceiver

beforeAll(async () => {
  stripe = await startTestStripe({ port: await findFreePort() })
  analytics = await startAnalyticsReceiver()
  // Another address needs no confirmation then.
  const env = { API_RATE_PER_MINUTE: '100000', GOTRUE_MAILER_AUTOCONFIRM: 'on' }
  fixture = await openFilesFixture({ ...env, ...stripe.env, ...analytics.env })
})
afterAll(async () => {
  await fixture?.stop()
  await stripe?.stop()
  await analytics?.stop()
})

beforeEach(async () => {
  owner = await createUser(fixture.server.client)
  organizationId = owner.organizationId ?? ''
  token = await fixture.server.signIn(owner)
  project = await createProject(fixture.server.client, { organizationId })
})

async function call(
  path: string,
  options: { method?: string; token?: string; body?: unknown } = {},
): Promise<Response> {
  const reply = await fixture.server.call(`/api/v1/organizations/${organizationId}${path}`, { token, ...options })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return reply
}
const read = async <T>(path: string, options?: Parameters<typeof call>[1]) =>
  (await (await call(path, options)).json()) as T
const query = (text: string, values: unknown[] = []) => fixture.server.client.query(text, values)

const makeItem = async () => (await createFeedback(fixture.server.client, { organizationId, projectId: project.id })).id

/** An item whose visitor was replied to. */
async function makeRepliedItem(): Promise<string> {
  const id = await makeItem()
  await query("update feedback set visitor_email = 'grace@example.org' where id = $1", [id])
  await comment(id, { kind: 'reply' })
  return id
}
const change = (id: string, body: object) => call(`/feedback/${id}`, { method: 'PATCH', body })
const comment = (id: string, body: object) =>
  call(`/feedback/${id}/comments`, { body: { id: randomUUID(), text: 'Thank you.', ...body } })

/** Merges two visitors, and returns the join's id. */
async function joinVisitors(): Promise<string> {
  await query("update feedback set visitor_id = 'customer-1' where id = $1", [await makeItem()])
  await query("update feedback set visitor_email = 'grace@example.org' where id = $1", [await makeItem()])
  await call('/visitors/joins', { body: { into: 'customer-1', part: 'grace@example.org' } })
  const { rows } = await query('select id from visitor_joins where organization_id = $1', [organizationId])
  return rows[0]?.id
}

async function joinAsMember() {
  const member = await createMember(fixture.server.client, { organizationId, role: 'member' })
  return { member, memberToken: await fixture.server.signIn(member) }
}

async function invite(email = `guest-${randomUUID()}@example.com`): Promise<{ id: string; email: string }> {
  return read('/invitations', { body: { email, role: 'viewer' } })
}

async function importFile(): Promise<string> {
  const id = randomUUID()
  await call('/imports', { body: { id, projectId: project.id, name: 'ideas.csv' } })
  const sent = await fetch(`${fixture.server.url}/api/v1/organizations/${organizationId}/imports/${id}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: 'Message\nDark mode, please\nIt crashes',
  })
  const { layout } = (await sent.json()) as Import
  await call(`/imports/${id}/check`, { body: layout?.suggestion })
  await waitForImport(id, 'checked')
  return id
}
const waitForImport = (id: string, state: string) =>
  eventually(async () => (await read<Import>(`/imports/${id}`)).state).toBe(state)

async function runImport(): Promise<string> {
  const id = await importFile()
  await call(`/imports/${id}/start`, { method: 'POST' })
  await waitForImport(id, 'imported')
  return id
}

async function askForExport(): Promise<string> {
  const id = randomUUID()
  await call('/exports', { body: { id, format: 'csv', selection: {} } })
  return id
}

async function requestErasure(): Promise<string> {
  const visitor = `${randomUUID()}@example.com`
  await submit(fixture.server, project.widgetKey, makeSubmission({ email: visitor }))
  const id = randomUUID()
  await call('/visitors/erasures', { body: { id, visitor, confirmation: visitor } })
  return id
}

async function publishWidget(): Promise<void> {
  const path = `/projects/${project.id}/widget`
  const { published } = await read<{ published: object }>(path)
  await call(`${path}/draft`, { method: 'PUT', body: { ...published, theme: 'dark' } })
  await call(`${path}/publish`, { body: {} })
}

/** Empties the trash of one item that has been there for some days. */
async function throwAway(days: number): Promise<string> {
  const id = await makeItem()
  await query('update feedback set deleted_at = now() - make_interval(days => $2) where id = $1', [id, days])
  return id
}
const runNow = (job: string) => query("select graphile_worker.add_job($1, '{}')", [job])

const authCall = (path: string, body: object, method = 'POST') =>
  fixture.server.call(`/auth/v1${path}`, { method, token, body })

/** Makes an account with an organisation, and returns the organisation's id. */
async function signUp(): Promise<readonly string[]> {
  const email = `new-${randomUUID()}@example.com`
  await fixture.server.call('/auth/v1/signup', { body: { email, password: 'correct horse battery staple' } })
  const { rows } = await query(
    'select m.organization_id as id from memberships m join profiles p using (user_id) where p.email = $1',
    [email],
  )
  organizationId = rows[0]?.id
  return [organizationId]
}

/** Gives the organisation the smallest plan. */
const subscribe = () =>
  query(`select app.set_subscription($1, 'active', (select id from plans where key = 'starter'), null)`, [
    organizationId,
  ])

/** Gives the organisation a subscription at Stripe, where further acts happen. */
const subscribeByStripe = async (card?: string) => {
  await runNow('sync_plans')
  const isSynced = async () =>
    (await query('select 1 from plans where stripe_yearly_price_id is null')).rows.length === 0
  await eventually(isSynced).toBe(true)
  const customer = await openCustomer(stripe, fixture.server, organizationId, card === undefined ? {} : { card })
  const subscription = await subscribeAtStripe(stripe, customer, 'growth')
  return { customer, id: subscription.id, item: subscription.items.data[0]?.id ?? '' }
}
const changePlan = async (key: string) => {
  const { id, item } = await subscribeByStripe()
  await eventually(async () => (await query('select 1 from subscriptions where id = $1', [id])).rows.length).toBe(1)
  await stripe.sdk.subscriptions.update(id, { items: [{ id: item, price: await findPrice(stripe, key) }] })
  return [organizationId]
}
const cancelByStripe = async () => {
  const { id } = await subscribeByStripe()
  await stripe.sdk.subscriptions.update(id, { cancel_at_period_end: true })
  const isKnown = () => query('select 1 from subscriptions where id = $1 and cancel_at is not null', [id])
  await eventually(async () => (await isKnown()).rows.length).toBe(1)
  return id
}

/** @returns the answer of a superadmin's call about the organisation. */
async function callAsSuperadmin(path: string, options: { method: string; body?: unknown }): Promise<Response> {
  const superadmin = await createUser(fixture.server.client, { fullName: 'Sam Super' })
  await query('insert into app.superadmins (user_id) values ($1)', [superadmin.id])
  const superToken = await fixture.server.signIn(superadmin)
  const reply = await fixture.server.call(`/api/v1/superadmin/organizations/${organizationId}${path}`, {
    token: superToken,
    ...options,
  })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return reply
}
const suspend = () => callAsSuperadmin('/suspension', { method: 'PUT', body: { reason: 'Spam', message: null } })
const liftSuspension = () => callAsSuperadmin('/suspension', { method: 'DELETE' })

/** Acts, and the ids that their event names. */
const acts: Partial<Record<EventName, () => Promise<readonly string[]>>> = {
  'organization.created': () => signUp(),
  'trial.started': () => signUp(),
  'trial.expiring': async () => {
    await query(`update organizations set trial_ends_at = now() + interval '2 days' where id = $1`, [organizationId])
    await runNow('watch_plans')
    return [organizationId]
  },
  'trial.ended': async () => {
    await query('update organizations set trial_ends_at = now() where id = $1', [organizationId])
    await runNow('watch_plans')
    return [organizationId]
  },
  'subscription.changed': async () => {
    await subscribe()
    return [organizationId]
  },
  'subscription.started': async () => {
    await subscribeByStripe()
    return [organizationId]
  },
  'subscription.upgraded': () => changePlan('business'),
  'subscription.downgraded': () => changePlan('starter'),
  'subscription.cancelled': async () => {
    await cancelByStripe()
    return [organizationId]
  },
  'subscription.reactivated': async () => {
    await stripe.sdk.subscriptions.update(await cancelByStripe(), { cancel_at_period_end: false })
    return [organizationId]
  },
  'payment.succeeded': async () => {
    await subscribeByStripe()
    return [organizationId]
  },
  'payment.failed': async () => {
    await subscribeByStripe('pm_card_chargeCustomerFail')
    return [organizationId]
  },
  'payment.refunded': async () => {
    const { customer } = await subscribeByStripe()
    const charge = (await stripe.sdk.charges.list({ customer })).data[0]?.id ?? ''
    await stripe.sdk.refunds.create({ charge })
    return [organizationId]
  },
  'plan.limit_near': async () => {
    await subscribe()
    for (const _ of ['second', 'third']) await createProject(fixture.server.client, { organizationId })
    await runNow('watch_plans')
    const find = async () =>
      (await query('select id from plan_warnings where organization_id = $1', [organizationId])).rows
    await eventually(async () => (await find()).length).toBe(1)
    return (await find()).map(({ id }) => id)
  },
  'organization.deletion_requested': async () => {
    await call('', { method: 'DELETE', body: { name: 'Example' } })
    return [organizationId]
  },
  'organization.restored': async () => {
    await call('', { method: 'DELETE', body: { name: 'Example' } })
    await call('/restore', { method: 'POST' })
    return [organizationId]
  },
  'organization.deleted': async () => {
    await call('', { method: 'DELETE', body: { name: 'Example' } })
    await query('update organizations set delete_after = now() where id = $1', [organizationId])
    await query(`select app.enqueue_job('remove_closed_organizations', '{}')`)
    return [organizationId]
  },
  'organization.suspended': async () => {
    await suspend()
    return [organizationId]
  },
  'organization.suspension_lifted': async () => {
    await suspend()
    await liftSuspension()
    return [organizationId]
  },
  'integration.disabled': async () => {
    const receiver = await startReceiver()
    receiver.answer((_, response) => response.writeHead(410).end())
    const { id } = await read<{ id: string }>('/integrations', {
      body: { type: 'webhook', config: { url: receiver.url } },
    })
    await submit(fixture.server, project.widgetKey, makeSubmission())
    await receiver.waitFor(1)
    await receiver.stop()
    return [id]
  },
  'member.invited': async () => [(await invite()).id],
  'member.invitation_revoked': async () => {
    const { id } = await invite()
    await call(`/invitations/${id}`, { method: 'DELETE' })
    return [id]
  },
  'member.joined': async () => {
    await query('delete from app.events where organization_id = $1', [organizationId])
    const guest = await createUser(fixture.server.client)
    await invite(guest.email)
    const mail = (await fixture.server.mails()).find(({ to }) => to === guest.email)
    const link = /accept-invitation\/([\w-]+)/.exec(mail?.text ?? '')?.[1]
    await fixture.server.call(`/api/v1/invitations/${link}/accept`, {
      method: 'POST',
      token: await fixture.server.signIn(guest),
      body: {},
    })
    return [guest.id]
  },
  'member.removed': async () => {
    const { member } = await joinAsMember()
    await call(`/members/${member.id}`, { method: 'DELETE' })
    return [member.id]
  },
  'member.role_changed': async () => {
    const { member } = await joinAsMember()
    await call(`/members/${member.id}`, { method: 'PATCH', body: { role: 'viewer' } })
    return [member.id]
  },
  'project.created': async () => [
    (await read<{ id: string }>('/projects', { body: { name: 'New', domain: 'new.example' } })).id,
  ],
  'project.updated': async () => {
    await call(`/projects/${project.id}`, { method: 'PATCH', body: { name: 'Other', retentionDays: 90 } })
    return [project.id]
  },
  'project.deleted': async () => {
    const { name } = await read<{ name: string }>(`/projects/${project.id}`)
    await call(`/projects/${project.id}`, { method: 'DELETE', body: { name } })
    return [project.id]
  },
  'project.removed': async () => {
    const { name } = await read<{ name: string }>(`/projects/${project.id}`)
    await call(`/projects/${project.id}`, { method: 'DELETE', body: { name } })
    return [project.id]
  },
  'project.retention_applied': async () => {
    const id = await makeItem()
    await query("update feedback set created_at = now() - interval '100 days' where id = $1", [id])
    await call(`/projects/${project.id}`, { method: 'PATCH', body: { retentionDays: 30 } })
    await runNow('apply_retention')
    return [project.id]
  },
  'feedback.trash_emptied': async () => {
    await throwAway(1)
    await call('/feedback/trash/empty', { body: {} })
    return [organizationId]
  },
  'feedback.trash_expired': async () => {
    await throwAway(40)
    await runNow('expire_trash')
    return [organizationId]
  },
  'account.password_changed': async () => {
    await authCall('/user', { password: 'another horse', current_password: builtPassword }, 'PUT')
    return [owner.id]
  },
  'account.email_changed': async () => {
    await authCall('/user', { email: `moved-${randomUUID()}@example.com` }, 'PUT')
    return [owner.id]
  },
  'account.sessions_ended': async () => {
    await authCall('/logout?scope=others', {})
    return [owner.id]
  },
  // Signing in with Google has a test of its own.
  'account.identity_linked': async () => {
    await query('select app.record_account_event($1, \'account.identity_linked\', \'{"provider": "google"}\', $1)', [
      owner.id,
    ])
    return [owner.id]
  },
  'account.proof_failed': async () => {
    await authCall('/token?grant_type=password', { email: owner.email, password: 'wrong' })
    return [owner.id]
  },
  'superadmin.entered': async () => {
    const superadmin = await createUser(fixture.server.client, { fullName: 'Sam Super' })
    await query('insert into app.superadmins (user_id) values ($1)', [superadmin.id])
    await call('/projects', { token: await fixture.server.signIn(superadmin) })
    return [superadmin.id]
  },
  'superadmin.billing_changed': async () => {
    const superadmin = await createUser(fixture.server.client, { fullName: 'Sam Super' })
    await query('insert into app.superadmins (user_id) values ($1)', [superadmin.id])
    const reply = await fixture.server.call(`/api/v1/superadmin/subscriptions/${organizationId}/trial`, {
      method: 'PUT',
      token: await fixture.server.signIn(superadmin),
      body: { endsAt: new Date(Date.now() + 90 * 86_400_000).toISOString(), reason: 'They asked for it' },
    })
    expect(reply.status).toBe(200)
    return [organizationId]
  },
  'superadmin.test_item_removed': async () => {
    const superadmin = await createUser(fixture.server.client, { fullName: 'Sam Super' })
    await query('insert into app.superadmins (user_id) values ($1)', [superadmin.id])
    const id = await makeItem()
    await query(`update feedback set source = 'test' where id = $1`, [id])
    const reply = await fixture.server.call(
      `/api/v1/superadmin/widget-test/organizations/${organizationId}/items/${id}`,
      { method: 'DELETE', token: await fixture.server.signIn(superadmin) },
    )
    expect(reply.status).toBe(204)
    return [organizationId]
  },
  'audit.exported': async () => {
    await (await call('/audit/exports', { body: { format: 'jsonl' } })).text()
    return [organizationId]
  },
  'widget.installed': async () => {
    await fetch(`${fixture.server.url}/e/${project.widgetKey}.js`)
    return [project.id]
  },
  'widget.activated': async () => {
    await call(`/projects/${project.id}`, { method: 'PATCH', body: { archived: true } })
    await call(`/projects/${project.id}`, { method: 'PATCH', body: { archived: false } })
    return [project.id]
  },
  'widget.deactivated': async () => {
    await call(`/projects/${project.id}`, { method: 'PATCH', body: { archived: true } })
    return [project.id]
  },
  'widget.configured': async () => {
    await publishWidget()
    return [project.id]
  },
  'feedback.created': async () => {
    const body = makeSubmission()
    await submit(fixture.server, project.widgetKey, body)
    return [body.id]
  },
  'feedback.locked': async () => {
    await query('update organizations set trial_ends_at = now() where id = $1', [organizationId])
    const body = makeSubmission()
    await submit(fixture.server, project.widgetKey, body)
    return [body.id]
  },
  'feedback.imported': async () => {
    await runImport()
    return (await read<{ items: { id: string }[] }>('/feedback')).items.map(({ id }) => id)
  },
  'feedback.status_changed': async () => {
    const id = await makeItem()
    await change(id, { status: 'open' })
    return [id]
  },
  'feedback.updated': async () => {
    const id = await makeItem()
    await change(id, { priority: 'high', viewed: true })
    return [id]
  },
  'feedback.assigned': async () => {
    const id = await makeItem()
    await change(id, { assigneeId: owner.id })
    return [id]
  },
  'feedback.operation_ended': async () => {
    const id = randomUUID()
    await call('/feedback/bulk', { body: { id, ids: [await makeItem()], change: { priority: 'low' } } })
    return [id]
  },
  'feedback.commented': async () => {
    const id = await makeItem()
    await comment(id, { kind: 'note' })
    return [id]
  },
  'feedback.replied': async () => [await makeRepliedItem()],
  // As the mail server's answer would: no mail server runs here.
  'feedback.reply_delivered': async () => {
    const id = await makeRepliedItem()
    await query('update app.emails set sent_at = now() where feedback_id = $1', [id])
    return [id]
  },
  'feedback.answered': async () => {
    const id = await makeRepliedItem()
    const { rows } = await query('select text from app.emails where feedback_id = $1', [id])
    const conversation = /\/conversation\/([A-Za-z0-9_-]{64})/.exec(rows[0]?.text)?.[1]
    const body = { id: randomUUID(), text: 'It works.' }
    await fixture.server.call(`/api/v1/conversations/${conversation}/answers`, { body })
    return [id]
  },
  'feedback.files_changed': async () => {
    const file = { kind: 'screenshot', bytes: makePng() } as const
    const id = await sendFile(fixture.server, project.widgetKey, file)
    const body = makeSubmission({ attachments: [{ id, kind: 'screenshot' }] })
    await submit(fixture.server, project.widgetKey, body)
    await eventually(async () => (await query('select state from uploads where id = $1', [id])).rows[0]?.state).toBe(
      'ready',
    )
    // It may have been judged before its item came.
    await query("update uploads set state = 'processing' where id = $1", [id])
    await query("select graphile_worker.add_job('process_upload', $1::json)", [JSON.stringify({ organizationId, id })])
    return [body.id]
  },
  'feedback.deleted': async () => {
    const id = await makeItem()
    await change(id, { deleted: true })
    await call('/feedback/trash/empty', { body: { ids: [id] } })
    return [id]
  },
  'export.requested': async () => [await askForExport()],
  'export.completed': async () => {
    await makeItem()
    return [await askForExport()]
  },
  'export.failed': async () => {
    const { memberToken, member } = await joinAsMember()
    const id = randomUUID()
    await query('begin')
    await query('lock table exports in exclusive mode')
    const asked = call('/exports', { token: memberToken, body: { id, format: 'csv', selection: {} } }).catch(() => {})
    // By the time that it is written, who asked for it has left.
    await query('delete from memberships where user_id = $1', [member.id])
    await query('commit')
    await asked
    await query(
      "insert into exports (organization_id, id, created_by, format, selection) values ($1, $2, $3, 'csv', '{}') on conflict do nothing",
      [organizationId, id, member.id],
    )
    await query("select graphile_worker.add_job('write_export', $1::json)", [JSON.stringify({ organizationId, id })])
    return [id]
  },
  'import.completed': async () => [await runImport()],
  'import.undone': async () => {
    const id = await runImport()
    await call(`/imports/${id}/undo`, { method: 'POST' })
    return [id]
  },
  'import.failed': async () => {
    const id = await importFile()
    await query('update imports set attempts = 5 where id = $1', [id])
    await query("update imports set state = 'importing', run_id = id where id = $1", [id])
    const payload = { organizationId, id, runId: id, actorUserId: owner.id }
    await query("select graphile_worker.add_job('run_import', $1::json)", [JSON.stringify(payload)])
    return [id]
  },
  'visitor.joined': async () => [await joinVisitors()],
  'visitor.separated': async () => {
    const id = await joinVisitors()
    await call('/visitors/separations', { body: { part: 'grace@example.org' } })
    return [id]
  },
  'visitor.erasure_requested': async () => [await requestErasure()],
  'visitor.erased': async () => [await requestErasure()],
  'quota.files_full': async () => {
    await query(
      `insert into uploads (organization_id, id, project_id, kind, storage_key, bytes)
       values ($1, gen_random_uuid(), $2, 'file', gen_random_uuid() || '/' || gen_random_uuid(), 50000000000)`,
      [organizationId, project.id],
    )
    const refused = sendFile(fixture.server, project.widgetKey, { kind: 'screenshot', bytes: makePng(), name: 'a.png' })
    await expect(refused).rejects.toThrow('507')
    return [project.id]
  },
  'notification.recorded': async () => {
    const { member } = await joinAsMember()
    await change(await makeItem(), { assigneeId: member.id })
    const find = async () => (await query('select id from notifications where user_id = $1', [member.id])).rows
    await eventually(find).toHaveLength(1)
    return [(await find())[0]?.id]
  },
  'notification.preferences_updated': async () => {
    await call('/notification-preferences', { method: 'PATCH', body: { mutedMails: ['personal'] } })
    return [owner.id]
  },
}

/** Events that no signed-in member causes, or a job that does not know the member. */
const withoutActor = new Set<EventName>([
  'feedback.locked',
  'plan.limit_near',
  'subscription.started',
  'subscription.upgraded',
  'subscription.downgraded',
  'subscription.cancelled',
  'subscription.reactivated',
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'subscription.changed',
  'trial.ended',
  'trial.expiring',
  'feedback.created',
  'feedback.imported',
  'feedback.reply_delivered',
  'feedback.answered',
  'feedback.files_changed',
  'feedback.deleted',
  'integration.disabled',
  'quota.files_full',
  'widget.installed',
  'account.identity_linked',
  'account.proof_failed',
  'feedback.trash_expired',
  'project.removed',
  'project.retention_applied',
])

/** Events whose request is not the act itself: a job, or the test's own SQL. */
const withoutRequest = new Set<EventName>([
  'subscription.changed',
  'integration.disabled',
  'account.identity_linked',
  'export.completed',
  'feedback.trash_expired',
  'import.completed',
  'import.undone',
  'project.removed',
  'project.retention_applied',
  'visitor.erased',
])

/** The audit log has the event: who, from where and by which request, in words. */
async function expectAudited(name: EventName, eventId: string): Promise<void> {
  const find = async () =>
    (await query('select *, host(ip) as address from audit_log where event_id = $1', [eventId])).rows
  await eventually(async () => (await find()).length).toBe(1)
  const [row] = await find()
  const event = (await query('select * from app.events where id = $1', [eventId])).rows[0]
  expect(row).toMatchObject({
    organization_id: organizationId,
    action: name,
    category: auditedEvents[name]?.category,
    target_type: auditedEvents[name]?.target,
    actor_kind: event.actor_kind,
    actor_user_id: event.actor_user_id,
    created_at: event.occurred_at,
    request_id: event.request_id,
  })
  if (row.actor_kind === 'user' || row.actor_kind === 'superadmin') expect(row.actor_name).toMatch(/^\w+ \w+|@/)
  if (withoutRequest.has(name)) expect([row.request_id, row.address]).toEqual([null, null])
  else
    expect(row).toMatchObject({ address: '127.0.0.1', user_agent: 'node', request_id: expect.any(String), cause: null })
  // Its owner is the new account, not the one of this test.
  if (name === 'organization.created') return
  // A closed organisation shows its log to no one, nor does a suspended one.
  if (name === 'organization.deletion_requested') await call('/restore', { method: 'POST' })
  if (name === 'organization.suspended') await liftSuspension()
  const readSummary = async () =>
    (await read<{ items: AuditEntry[] }>('/audit')).items.find(({ id }) => id === row.id)?.summary
  // A deleted project has its name from another entry, which may be written later.
  await eventually(readSummary).not.toContain('a deleted project')
  expect(await readSummary()).toMatch(/^[A-Z][^{}]+$/)
  expect(await readSummary()).not.toMatch(/none|undefined|null|former/)
}

describe('events', () => {
  it.each(Object.keys(events) as EventName[])('%s is recorded by the act that it names', async (name) => {
    const ids = await (acts[name] ?? (() => eventActs[name]?.(call)))()
    if (!ids) throw new Error(`no act records ${name}: add one to the facts of its noun`)
    const find = async () => {
      const { rows } = await query(
        'select id, ids, payload, actor_user_id, request_id from app.events where organization_id = $1 and name = $2 order by id desc limit 1',
        [organizationId, name],
      )
      return rows[0] as
        | { id: string; ids: string[]; payload: unknown; actor_user_id: string | null; request_id: string | null }
        | undefined
    }
    await eventually(async () => (await find())?.ids.toSorted()).toEqual(ids.toSorted())
    const event = await find()
    expect(Check(events[name].payload, event?.payload), JSON.stringify(event?.payload)).toBe(true)
    if (!withoutActor.has(name)) expect(event?.actor_user_id).not.toBeNull()
    if (auditedEvents[name]) await expectAudited(name, event?.id ?? '')
  })

  it('are told to product analytics, which counts all of its server events by these acts', async () => {
    const names = (Object.keys(analyticsEvents) as AnalyticsName[]).filter(
      (name) => analyticsEvents[name].from === 'server',
    )
    const listMissing = () => {
      const sent = new Set(analytics.events().map(({ event }) => event))
      return names.filter((name) => !sent.has(name))
    }
    await eventually(async () => listMissing()).toEqual([])
    for (const sent of analytics.events()) expectListed(sent)
    // No word, name or address of anyone.
    const everything = analytics.received.map(({ body }) => body).join()
    for (const secret of [owner.email, '@', 'Sam Super', 'See there']) expect(everything).not.toContain(secret)
  })

  it('are audited, or left out of the audit log for a reason', () => {
    const named = [...Object.keys(auditedEvents), ...Object.keys(unauditedEvents)]
    expect(named.toSorted()).toEqual(Object.keys(events).toSorted())
  })

  it('tell what an item was and is, also of many at once', async () => {
    const [first, second] = [await makeItem(), await makeItem()]
    await change(first, { status: 'open' })
    const id = randomUUID()
    await call('/feedback/bulk', {
      body: { id, ids: [first, second], change: { status: 'resolved', priority: 'high' } },
    })
    // Ids of one millisecond are in no order: by name within the transaction.
    const { rows } = await query(
      `select name, payload, announced from app.events
       where organization_id = $1 and name in ('feedback.status_changed', 'feedback.updated')
       order by payload ? 'operationId', name`,
      [organizationId],
    )
    expect(rows[0]?.payload).toEqual({ changes: [{ id: first, from: 'new', to: 'open' }] })
    expect(rows.slice(1).map(({ name, announced }) => [name, announced])).toEqual([
      ['feedback.status_changed', 'never'],
      ['feedback.updated', 'never'],
    ])
    expect(rows[1]?.payload).toEqual({
      operationId: id,
      changes: expect.arrayContaining([
        { id: first, from: 'open', to: 'resolved' },
        { id: second, from: 'new', to: 'resolved' },
      ]),
    })
    expect(rows[2]?.payload).toEqual({ operationId: id, fields: ['priority'] })
  })

  it('hold the id of the request that caused them', async () => {
    const id = await makeItem()
    const reply = await change(id, { priority: 'high' })
    const { rows } = await query(
      "select request_id from app.events where organization_id = $1 and name = 'feedback.updated'",
      [organizationId],
    )
    expect(rows).toEqual([{ request_id: reply.headers.get('x-request-id') }])
  })
})
