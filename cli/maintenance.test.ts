import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '#server/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start-postgres.ts'
import { type Operator, openOperator } from '#server/testing/operator.ts'

let operator: Operator
beforeAll(async () => {
  operator = await openOperator('maintenance')
})
afterAll(() => operator?.stop())

const run = (args: readonly string[], env: Readonly<Record<string, string>> = { DATABASE_URL: operator.databaseUrl }) =>
  operator.run(args, env)
const readNotice = async () =>
  (await (await operator.server.call('/api/v1/maintenance')).json()) as { readOnly: unknown }

describe('npm run maintenance', () => {
  it('makes a running instance read-only, says so, and ends it', async () => {
    expect(await run(['status'])).toEqual({ code: 0, stdout: 'Earshot takes writes.\n', stderr: '' })
    const on = await run(['on', '--message', 'A larger disk.', '--until', '2h'])
    expect([on.code, on.stderr]).toEqual([0, ''])
    expect(on.stdout).toMatch(/^Earshot is read-only since .*, turned on by Command line\.\nMessage: A larger disk\.\n/)
    await expect.poll(readNotice).toMatchObject({ readOnly: { message: 'A larger disk.' } })
    const status = await run(['status', '--json'])
    expect([status.code, JSON.parse(status.stdout)]).toMatchObject([3, { readOnly: { turnedOnBy: 'Command line' } }])
    expect(await run(['off'])).toEqual({ code: 0, stdout: 'Earshot takes writes again.\n', stderr: '' })
    await expect.poll(readNotice).toEqual({ readOnly: null })
    expect((await run(['off'])).code).toBe(0)
    const { rows } = await operator.server.client.query(
      "select actor_kind, action, cause from audit_log where action like 'read_only.%' order by created_at, id",
    )
    expect(rows).toEqual([
      { actor_kind: 'system', action: 'read_only.turned_on', cause: 'maintenance' },
      { actor_kind: 'system', action: 'read_only.turned_off', cause: 'maintenance' },
    ])
  })

  it('works while Earshot is stopped, on the built-in database', async () => {
    const postgres = await startEmbeddedPostgres(operator.folder)
    await migrate({ url: postgres.url, log: { info: () => {}, warn: () => {} } })
    await postgres.stop()
    expect((await run(['on'], {})).code).toBe(0)
    expect((await run(['status'], {})).code).toBe(3)
  })

  it.each([
    [[], 'needs one of these: on, off, status'],
    [['maybe'], 'needs one of these: on, off, status'],
    [['on', 'off'], 'needs one of these: on, off, status'],
    [['on', '--until', '2031-01-31T22:00'], '--until must be a time in the future with its zone'],
    [['off', '--message', 'Over.'], '--message and --until belong to npm run maintenance -- on'],
    [['on', '--quietly'], 'quietly'],
  ])('refuses %j', async (args, sentence) => {
    const { code, stdout, stderr } = await run(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('says in one line that the database can’t be reached', async () => {
    const { code, stderr } = await run(['status'], { DATABASE_URL: 'postgres://127.0.0.1:1/earshot' })
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
  })

  it('explains its actions', async () => {
    const { code, stdout } = await run(['--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('npm run maintenance -- on|off|status [options]')
    expect(stdout).toMatch(/3 +With status: the instance is read-only\./)
  })
})
