import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AccessWorld, callOperation, type Ids, openAccessWorld, prepareIds } from './testing/access-world.ts'
import { contracts } from './testing/contracts.ts'
import type { Persona } from './testing/personas.ts'

/* Every act of a superadmin leaves an entry in the audit log that names them. A new route is covered unasked. */

/** Acts without an entry of their own, with the reason. */
const withoutEntry: Readonly<Record<string, string>> = {
  previewBlogPost: 'It only renders what is sent.',
  previewEmailTemplate: 'It only renders what is sent.',
}
/** Acts that tests over all routes can't finish, and the test that looks at their entries. */
const testedElsewhere: Readonly<Record<string, string>> = {
  changeSubscriberPlan: 'superadmin-subscriptions.test.ts',
  cancelSubscriber: 'superadmin-subscriptions.test.ts',
  refundPayment: 'superadmin-subscriptions.test.ts',
  grantPlan: 'superadmin-subscriptions.test.ts',
  extendTrial: 'superadmin-subscriptions.test.ts',
  restoreBlogRevision: 'posts.test.ts',
  exportCoupons: 'coupons.test.ts',
  createCoupon: 'coupons.test.ts',
  deactivateCoupon: 'coupons.test.ts',
  uploadBlogPicture: 'pictures.test.ts',
  removeTestItem: 'widget-test.test.ts',
}
/** What the rows of these acts need first, so that something is left to change: an act that changes nothing has no entry. */
const madeChangeable: Readonly<Record<string, string>> = {
  confirmInstanceUser: 'update auth.users set email_confirmed_at = null where id = :accountId',
  unbanInstanceUser: "update auth.users set banned_until = now() + interval '1 day' where id = :accountId",
  signOutInstanceUser: `insert into auth.sessions (id, user_id, created_at, updated_at)
    values (gen_random_uuid(), :accountId, now(), now())`,
  revokeSuperadmin: 'insert into app.superadmins (user_id) values (:accountId) on conflict do nothing',
  restoreBlogPost: 'update blog_posts set deleted_at = now() where id = :postId',
  retryFailedJobs: `select graphile_worker.add_job('made', max_attempts => 1);
    update graphile_worker._private_jobs set attempts = max_attempts
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'made')`,
  turnOffReadOnly: "insert into app.read_only_periods (turned_on_by) values ('made')",
}
/** Reads that take so much along that they are acts. */
const auditedReads = new Set(['downloadSupportBundle'])

const acts = contracts.filter(
  ({ access, method, operationId }) =>
    access.kind === 'superadmin' && (method !== 'GET' || auditedReads.has(operationId)),
)

let world: AccessWorld
let superadmin: Persona
beforeAll(async () => {
  world = await openAccessWorld()
  const found = world.personas.find(({ name }) => name === 'superadmin')
  if (!found) throw new Error('there is no superadmin')
  superadmin = found
})
afterAll(() => world?.stop())

async function countEntries(): Promise<number> {
  // What concerns an organisation is an event, from which a job writes the entry.
  const { rows } = await world.server.client.query<{ count: string }>(
    `select (select count(*) from audit_log where actor_kind = 'superadmin' and actor_name is not null)
       + (select count(*) from app.events where actor_kind = 'superadmin') as count`,
  )
  return Number(rows[0]?.count)
}

async function makeChangeable(name: string, ids: Ids): Promise<void> {
  const statements = madeChangeable[name]?.replaceAll(/:(\w+Id)\b/g, (_, id: string) => `'${ids[id]}'`)
  if (statements !== undefined) await world.server.client.query(statements)
}

describe('an act of a superadmin', () => {
  it.each(acts.map((contract) => ({ contract, name: contract.operationId })))(
    'is in the audit log: $name',
    async ({ contract, name }) => {
      const ids = await prepareIds(world, contract, superadmin)
      await makeChangeable(name, ids)
      const before = await countEntries()
      const answer = await callOperation(world, contract, ids, superadmin)
      const entries = (await countEntries()) - before
      if (name in testedElsewhere) return expect([name, entries]).toEqual([name, 0])
      expect([name, answer.status < 300, answer.text]).toEqual([name, true, answer.text])
      // What an act ends besides has an entry of its own.
      expect([name, entries > 0]).toEqual([name, !(name in withoutEntry)])
    },
  )

  it('has no needless exception', () => {
    const names = new Set(acts.map(({ operationId }) => operationId))
    expect(
      Object.keys({ ...withoutEntry, ...testedElsewhere, ...madeChangeable }).filter((name) => !names.has(name)),
    ).toEqual([])
  })
})
