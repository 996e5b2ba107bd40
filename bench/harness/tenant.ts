import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMember, createProject, createUser } from '#server/testing/builders.ts'
import { projectCount } from './fill-inbox.ts'
import { signIn } from './owner.ts'
import type { BenchServer } from './server.ts'

/** An organisation with a large project and small ones, members, and one more who is signed in. */
export interface BenchTenant {
  readonly server: BenchServer
  readonly organizationId: string
  readonly projectIds: readonly string[]
  readonly memberIds: readonly string[]
  readonly email: string
  readonly token: string
}

/** Creates and fills a tenant, or finds the one in a kept folder. */
export async function makeTenant(
  server: BenchServer,
  fill: (tenant: BenchTenant) => Promise<void>,
): Promise<BenchTenant> {
  const notePath = join(server.dataDir, 'tenant.json')
  if (existsSync(notePath)) {
    const kept = JSON.parse(readFileSync(notePath, 'utf8')) as Omit<BenchTenant, 'server' | 'token'>
    return { ...kept, server, token: await signIn(server, kept.email) }
  }
  const { sql } = server
  await sql.query('create extension if not exists pg_stat_statements')
  const { organizationId } = await createUser(sql)
  if (organizationId === undefined) throw new Error('sign-up created no organisation')
  const projectIds: string[] = []
  while (projectIds.length < projectCount) projectIds.push((await createProject(sql, { organizationId })).id)
  const memberIds: string[] = []
  while (memberIds.length < 4) memberIds.push((await createMember(sql, { organizationId, role: 'member' })).id)
  const { email } = await createMember(sql, { organizationId, role: 'member' })
  const made = { organizationId, projectIds, memberIds, email }
  const tenant = { ...made, server, token: await signIn(server, email) }
  await fill(tenant)
  writeFileSync(notePath, JSON.stringify(made))
  return tenant
}
