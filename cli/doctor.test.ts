import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DoctorReport } from '#contract/superadmin-doctor.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start-postgres.ts'
import { createUser } from '#server/testing/builders.ts'
import { type Operator, openOperator } from '#server/testing/operator.ts'

const silent = { info: () => {}, warn: () => {} }
let operator: Operator
beforeAll(async () => {
  operator = await openOperator('doctor')
})
afterAll(() => operator?.stop())

const run: Operator['run'] = (args, env) => operator.run(args, env)
/** With `--json`. */
async function check(env: Readonly<Record<string, string>>) {
  const { code, stdout } = await run(['--json'], env)
  const { findings } = JSON.parse(stdout) as DoctorReport
  return { code, find: (id: string) => findings.find((finding) => finding.id === id)?.status, findings }
}

describe('npm run doctor', () => {
  it('checks a running instance: 2 while something does not work, 1 while there are warnings', async () => {
    const env = { DATABASE_URL: operator.databaseUrl, APP_URL: operator.server.url }
    const sick = await check(env)
    expect([sick.code, sick.find('app-url-reachable'), sick.find('worker'), sick.find('superadmin')]).toEqual([
      2,
      'ok',
      'failed',
      'failed',
    ])
    await createUser(operator.server.client)
    await operator.server.client.query(`insert into app.job_workers (worker_id) values ('one')`)
    await operator.server.client.query('delete from graphile_worker._private_jobs')
    const better = await check(env)
    const failures = better.findings.filter(({ status }) => status === 'failed').map(({ id }) => id)
    // The cluster of tests gives up durability for speed.
    expect(failures.filter((id) => id !== 'fsync')).toEqual([])
    expect(better.find('backup')).toBe('warning')
    expect(better.code).toBe(failures.length > 0 ? 2 : 1)
  })

  it('prints a line for each check, and what to do', async () => {
    const { stdout } = await run([], { DATABASE_URL: operator.databaseUrl, APP_URL: operator.server.url })
    expect(stdout).toMatch(/^ok {7}Address: Reachability of APP_URL\. .* answers\.$/m)
    expect(stdout).toMatch(
      /^WARNING {2}Files: Age of the last backup\..*\n {9}What to do: Set BACKUP_EVERY_HOURS.* \(backup\)$/m,
    )
    expect(stdout).toMatch(/\n\d+ failed, \d+ warnings, \d+ ok, \d+ not applicable\n$/)
  })

  it('checks an instance whose built-in database is stopped, and stops it again', async () => {
    const postgres = await startEmbeddedPostgres(operator.folder)
    await migrate({ url: postgres.url, log: silent })
    await postgres.stop()
    const { find, code } = await check({ APP_URL: 'http://127.0.0.1:1' })
    expect([code, find('app-url-reachable'), find('database-reachable'), find('migrations'), find('fsync')]).toEqual([
      2,
      'failed',
      'ok',
      'ok',
      'ok',
    ])
    const again = await startEmbeddedPostgres(operator.folder)
    await again.stop()
  })

  it('says in one line which setting can’t be read', async () => {
    const { code, stdout, stderr } = await run([], { PORT: 'abc' })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.trim()).toMatch(/^earshot: PORT must be a whole number/)
    expect((await run(['--unknown'], {})).code).toBe(2)
  })

  it('checks what it can where the database can’t be reached', async () => {
    const { find } = await check({ DATABASE_URL: 'postgres://127.0.0.1:1/earshot', APP_URL: operator.server.url })
    expect([find('database-reachable'), find('worker'), find('app-url-reachable')]).toEqual([
      'failed',
      'not_applicable',
      'ok',
    ])
  })
})
