import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlanWarning } from '#contract/plans.ts'
import { type BuiltUser, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { eventually } from '#server/testing/files-fixture.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { endTrial, subscribe } from '#server/testing/subscriptions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ SERVICES: 'web,worker', API_RATE_PER_MINUTE: '100000' })
})
afterAll(() => server.stop())

const watch = () => server.client.query(`select graphile_worker.add_job('watch_plans', '{}')`)

async function openTenant() {
  const owner = await createUser(server.client, { organizationName: 'Acme' })
  return { owner, organizationId: owner.organizationId ?? '', token: await server.signIn(owner) }
}

const listMails = async ({ email }: BuiltUser) =>
  (await server.mails()).filter(({ to, kind }) => to === email && kind === 'plan_warning').map(({ subject }) => subject)

async function listWarnings(organizationId: string, token: string) {
  const reply = await server.call(`/api/v1/organizations/${organizationId}/notifications`, { token })
  const { planWarnings } = (await reply.json()) as { planWarnings: PlanWarning[] }
  return planWarnings.map(({ kind, level }) => [kind, level])
}

const setItems = (organizationId: string, counted: number) =>
  server.client.query(
    `insert into item_months (organization_id, month, received, counted)
     values ($1, date_trunc('month', now() at time zone 'UTC'), $2, $2)
     on conflict (organization_id, month) do update set counted = excluded.counted`,
    [organizationId, counted],
  )

describe('a trial', () => {
  it('is warned of 7, 3 and 1 days before its end and at its end, once each', async () => {
    const { owner, organizationId, token } = await openTenant()
    const leave = (days: number) =>
      server.client.query(
        `update organizations set trial_ends_at = date_trunc('hour', now()) + make_interval(days => $2) where id = $1`,
        [organizationId, days],
      )
    await leave(8)
    await watch()
    for (const days of [7, 3, 1]) {
      await leave(days)
      await watch()
      const when = days === 1 ? 'within a day' : `within ${days} days`
      await eventually(() => listMails(owner)).toContain(`Acme: your trial ends ${when}`)
      expect(await listWarnings(organizationId, token)).toEqual([['trial_expiring', days]])
    }
    await endTrial(server.client, organizationId)
    await watch()
    await eventually(() => listMails(owner)).toContain('Acme: your trial has ended')
    await watch()
    await watch()
    // A later job of another organisation has run: so have those before it.
    const next = await openTenant()
    await endTrial(server.client, next.organizationId)
    await watch()
    await eventually(() => listMails(next.owner)).toEqual(['Acme: your trial has ended'])
    expect(await listMails(owner)).toHaveLength(4)
    expect(await listWarnings(organizationId, token)).toEqual([['trial_ended', 0]])
    const { rows } = await server.client.query('select subscription_status from organizations where id = $1', [
      organizationId,
    ])
    expect(rows).toEqual([{ subscription_status: 'expired' }])
  })

  it('is not said to have ended once more when a plan that followed it ends', async () => {
    const { organizationId, token } = await openTenant()
    await endTrial(server.client, organizationId)
    await watch()
    await eventually(() => listWarnings(organizationId, token)).toEqual([['trial_ended', 0]])
    await server.client.query(
      `update organizations set subscription_status = 'canceled',
         subscription_plan_id = (select id from plans where key = 'growth') where id = $1`,
      [organizationId],
    )
    expect(await listWarnings(organizationId, token)).toEqual([])
  })
})

describe('a limit', () => {
  it('is warned of at 80, 90 and 100 %, by email to owners and in their bell', async () => {
    const { owner, organizationId, token } = await openTenant()
    const member = await createMember(server.client, { organizationId, role: 'admin' })
    await subscribe(server, organizationId, 'starter')
    await setItems(organizationId, 399)
    await watch()
    for (const [items, percent] of [
      [400, 80],
      [450, 90],
      [500, 100],
    ] as const) {
      await setItems(organizationId, items)
      await watch()
      const state =
        percent === 100 ? 'limit of feedback this month reached' : `${percent} % of feedback this month used`
      await eventually(() => listMails(owner)).toContain(`Acme: ${state}`)
      expect(await listWarnings(organizationId, token)).toEqual([['items', percent]])
    }
    expect(await listMails(owner)).toHaveLength(3)
    expect(await listMails(member)).toEqual([])
    expect(await listWarnings(organizationId, await server.signIn(member))).toEqual([])
    const mail = (await server.mails()).findLast(({ to }) => to === owner.email)
    expect(mail?.text).toContain('uses 500 of 500 feedback items a month of the Starter plan')
    expect(mail?.text).toContain('/plan-selection')
    // A larger plan has room: nothing to warn of.
    await subscribe(server, organizationId, 'growth')
    await setItems(organizationId, 500)
    await watch()
    const { rows } = await server.client.query('select kind from plan_warnings where organization_id = $1', [
      organizationId,
    ])
    expect(rows).toHaveLength(3)
  })

  it('that is passed at once is warned of by the highest step alone', async () => {
    const { owner, organizationId } = await openTenant()
    for (const _ of ['one', 'two', 'three']) await createProject(server.client, { organizationId })
    await subscribe(server, organizationId, 'starter')
    await watch()
    await eventually(() => listMails(owner)).toEqual(['Acme: limit of projects reached'])
  })
})
