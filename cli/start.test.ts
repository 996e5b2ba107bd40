import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { findClusterAddress } from '#server/platform/embedded-postgres/cluster.ts'
import { createBlankDatabase, createTestDatabase } from '#server/testing/database.ts'
import { findFreePorts, type Product, spawnProduct, startProduct } from '../e2e/start-product.ts'

const longestFailureMs = 10_000
const folder = mkdtempSync(join(tmpdir(), 'earshot-start-'))
let ports: {
  PORT: string
  MAIL_SMTP_PORT: string
  MAIL_WEB_PORT: string
  GOOGLE_DOUBLE_PORT: string
  STRIPE_DOUBLE_PORT: string
}

beforeAll(async () => {
  const [port, smtp, web, google, stripe] = await findFreePorts(5)
  ports = {
    PORT: String(port),
    MAIL_SMTP_PORT: String(smtp),
    MAIL_WEB_PORT: String(web),
    GOOGLE_DOUBLE_PORT: String(google),
    STRIPE_DOUBLE_PORT: String(stripe),
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The logins of all connections that the app has open to the built-in PostgreSQL. */
async function listAppLogins(dataDir: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: findClusterAddress(dataDir) })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select distinct u.usename, u.usesuper from pg_stat_activity a join pg_user u on u.usesysid = a.usesysid
       where a.application_name like 'earshot%'`,
    )
    return rows
  } finally {
    await client.end()
  }
}

/** Runs the command, which must fail with one line, soon, and leave no process running. */
async function refuse(settings: Record<string, string>): Promise<string> {
  const product = spawnProduct({ ...ports, DATA_DIR: join(folder, 'unused'), ...settings })
  const { code, ms } = await product.ended
  const lines = product.stderr().trim().split('\n')
  expect(lines, product.stderr()).toHaveLength(1)
  expect(code).toBe(1)
  expect(ms).toBeLessThan(longestFailureMs)
  expect(findPostgres(settings.DATA_DIR ?? join(folder, 'unused'))).toEqual([])
  return lines[0] ?? ''
}

/** PostgreSQL processes that work in a data folder. */
function findPostgres(dataDir: string): string[] {
  const all = execFileSync('ps', ['-eo', 'pid=,command='], { encoding: 'utf8' }).split('\n')
  return all.filter((line) => line.includes('postgres') && line.includes(join(dataDir, 'postgres')))
}

describe('npm start refuses, with one line', () => {
  let occupant: Server | undefined
  afterEach(() => occupant?.close())

  for (const setting of [
    'PORT',
    'MAIL_SMTP_PORT',
    'MAIL_WEB_PORT',
    'GOOGLE_DOUBLE_PORT',
    'STRIPE_DOUBLE_PORT',
  ] as const) {
    it(`a taken ${setting}`, async () => {
      const port = Number(ports[setting])
      occupant = createServer()
      await new Promise<void>((resolve) => occupant?.listen(port, '127.0.0.1', resolve))
      const line = await refuse({})
      expect(line).toContain(`Port ${port} is in use`)
      expect(line).toContain(setting)
    })
  }

  it('two settings that name the same port', async () => {
    expect(await refuse({ MAIL_WEB_PORT: ports.PORT })).toContain('PORT and MAIL_WEB_PORT are both')
  })

  it('a setting that is not a number', async () => {
    expect(await refuse({ PORT: 'three' })).toContain('PORT')
  })

  it('an invalid database URL, without repeating it', async () => {
    const line = await refuse({ DATABASE_URL: 'not an address with s3cret' })
    expect(line).toContain('DATABASE_URL')
    expect(line).not.toContain('s3cret')
  })

  it('an unreachable database server', async () => {
    const [unusedPort] = await findFreePorts(1)
    const line = await refuse({ DATABASE_URL: `postgres://someone:s3cret@127.0.0.1:${unusedPort}/earshot` })
    expect(line).toContain(`127.0.0.1:${unusedPort}`)
    expect(line).not.toContain('s3cret')
  })

  it('a database host that does not exist', async () => {
    expect(await refuse({ DATABASE_URL: 'postgres://someone@nowhere.invalid/earshot' })).toContain('nowhere.invalid')
  })

  it('a database that does not exist', async () => {
    const url = new URL(inject('databaseServerUrl'))
    url.pathname = '/no_such_database'
    expect(await refuse({ DATABASE_URL: url.href })).toContain('no_such_database')
  })

  it('a wrong database password', async () => {
    const url = new URL(inject('databaseServerUrl'))
    url.password = 'wrong-pass'
    const line = await refuse({ DATABASE_URL: url.href })
    expect(line).toMatch(/password/i)
    expect(line).not.toContain('wrong-pass')
  })

  it('a migration that an earlier run did not finish, and leaves the database as it is', async () => {
    const database = await createTestDatabase()
    const client = new pg.Client(database.url)
    await client.connect()
    try {
      await client.query(
        `update app.schema_migrations set finished_at = null where name = (select max(name) from app.schema_migrations where name not like 'functions/%')`,
      )
      const before = await client.query('select name, finished_at from app.schema_migrations order by name')
      expect(await refuse({ DATABASE_URL: database.url })).toMatch(/migration|\.sql/i)
      const after = await client.query('select name, finished_at from app.schema_migrations order by name')
      expect(after.rows).toEqual(before.rows)
    } finally {
      await client.end()
      await database.drop()
    }
  })

  it('a data folder that is a file', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, 'mine')
    expect(await refuse({ DATA_DIR: file })).toContain('is not a folder')
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it('a data folder below a file', async () => {
    const file = join(folder, 'another-file')
    writeFileSync(file, 'mine')
    expect(await refuse({ DATA_DIR: join(file, 'data') })).toContain('DATA_DIR')
  })

  it('a data folder that cannot be written', async () => {
    // Root may write everywhere; only the system's own folders refuse it.
    const locked = process.getuid?.() === 0 ? '/proc/earshot' : join(folder, 'locked')
    if (process.getuid?.() !== 0) {
      mkdirSync(locked)
      chmodSync(locked, 0o000)
    }
    expect(await refuse({ DATA_DIR: locked })).toContain(locked)
  })

  it('data of another PostgreSQL, and leaves them as they are', async () => {
    const dataDir = join(folder, 'old')
    mkdirSync(join(dataDir, 'postgres'), { recursive: true })
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '14\n')
    const line = await refuse({ DATA_DIR: dataDir })
    expect(line).toContain('PostgreSQL 14')
    expect(readFileSync(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8')).toBe('14\n')
  })

  it('a folder `postgres` with other content', async () => {
    const dataDir = join(folder, 'other')
    mkdirSync(join(dataDir, 'postgres'), { recursive: true })
    writeFileSync(join(dataDir, 'postgres', 'notes.txt'), 'mine')
    expect(await refuse({ DATA_DIR: dataDir })).toContain('PG_VERSION')
    expect(existsSync(join(dataDir, 'postgres', 'notes.txt'))).toBe(true)
  })
})

describe('npm start', { timeout: 240_000 }, () => {
  let product: Product | undefined
  afterEach(async () => {
    await product?.stop()
    product = undefined
  })

  it('serves, prints its URL, and leaves no PostgreSQL behind on Ctrl-C', async () => {
    const dataDir = join(folder, 'first')
    product = await startProduct({ DATA_DIR: dataDir })
    expect(product.stdout()).toContain(product.url)
    expect(product.stdout()).toContain(dataDir)
    const health = await fetch(`${product.url}/health`)
    expect(await health.text()).toBe('OK')
    expect(findPostgres(dataDir)).toHaveLength(1)
    expect(await listAppLogins(dataDir)).toEqual([{ usename: 'earshot_app', usesuper: false }])
    const { code } = await product.stop()
    expect(code).toBe(0)
    expect(product.stderr()).toBe('')
    expect(findPostgres(dataDir)).toEqual([])
  })

  it('refuses a second instance on the same data folder, and the first keeps running', async () => {
    const dataDir = join(folder, 'shared')
    product = await startProduct({ DATA_DIR: dataDir })
    const second = spawnProduct({ ...ports, DATA_DIR: dataDir })
    const { code, ms } = await second.ended
    expect(code).toBe(1)
    expect(ms).toBeLessThan(longestFailureMs)
    expect(second.stderr().trim().split('\n')).toEqual([expect.stringContaining('Another Earshot is running')])
    expect((await fetch(`${product.url}/health`)).status).toBe(200)
  })

  it('recovers from a killed run whose PostgreSQL still runs', async () => {
    const dataDir = join(folder, 'killed')
    const killed = await startProduct({ DATA_DIR: dataDir })
    killed.child.kill('SIGKILL')
    await killed.ended
    expect(findPostgres(dataDir)).toHaveLength(1)
    product = await startProduct({ DATA_DIR: dataDir })
    expect((await fetch(`${product.url}/health`)).status).toBe(200)
    expect(findPostgres(dataDir)).toHaveLength(1)
  })

  it('migrates an empty database of the operator and uses it', async () => {
    const database = await createBlankDatabase()
    const dataDir = join(folder, 'external')
    product = await startProduct({ DATA_DIR: dataDir, DATABASE_URL: database.url })
    expect((await fetch(`${product.url}/health`)).status).toBe(200)
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    await product.stop()
    product = undefined
    await database.drop()
  })
})
