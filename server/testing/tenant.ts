import type pg from 'pg'
import { createFeedback, createMember, createProject, createUser } from './builders.ts'
import type { Tenant } from './facts.ts'
import { tables } from './gather-facts.ts'

/** An organisation with a row in every table that belongs to one, made by the facts of each noun. */
export async function createTenant(client: pg.Client): Promise<Tenant> {
  const owner = await createUser(client)
  if (!owner.organizationId) throw new Error('Sign-up made no organisation.')
  const organizationId = owner.organizationId
  const project = await createProject(client, { organizationId })
  const empty = await createProject(client, { organizationId })
  await client.query('delete from public.widgets where project_id = $1', [empty.id])
  const feedback = await createFeedback(client, { organizationId, projectId: project.id })
  const viewer = await createMember(client, { organizationId, role: 'viewer' })
  const spare = await createUser(client, { isInvited: true })
  const pictured = await createMember(client, { organizationId, role: 'member' })
  const tenant = {
    organizationId,
    projectId: project.id,
    emptyProjectId: empty.id,
    feedbackId: feedback.id,
    viewerId: viewer.id,
    spareId: spare.id,
    picturedId: pictured.id,
    ownerId: owner.id,
  }
  for (const { make } of Object.values(tables)) if (make) await client.query(make(tenant))
  return tenant
}
