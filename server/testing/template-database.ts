import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { migrate } from '#server/platform/database/migrate.ts'

/** A database of one test's own. */
export interface TestDatabase {
  /** As the database's owner, for builders and for looking at what was stored. */
  readonly url: string
  /** As the app's login, which has no rights of its own; undefined where the test makes its logins itself. */
  readonly appUrl?: string
  /** Ends its connections and deletes it. */
  drop(): Promise<void>
}

const silent = { info: () => {}, warn: () => {} }

/** Makes a migrated database that others are copied from, and returns its name. */
export async function createTemplateDatabase(serverUrl: string): Promise<string> {
  const database = await createEmptyDatabase(serverUrl, 'template')
  await migrate({ url: database.url, log: silent })
  return new URL(database.url).pathname.slice(1)
}

/** A new database without anything in it. */
export async function createEmptyDatabase(serverUrl: string, purpose = 'empty'): Promise<TestDatabase> {
  return createDatabase(serverUrl, purpose, '')
}

/** A new database that is a copy of another, which must have no connections. */
export async function cloneDatabase(
  serverUrl: string,
  template: string,
  appServerUrl: string,
): Promise<TestDatabase & { readonly appUrl: string }> {
  const database = await createDatabase(serverUrl, 'test', `template "${template}"`)
  const appUrl = new URL(appServerUrl)
  appUrl.pathname = new URL(database.url).pathname
  return { ...database, appUrl: appUrl.href }
}

/** A copy of a template after some SQL, itself a template. @throws the database's error when the SQL fails. */
export async function createDerivedDatabase(
  serverUrl: string,
  template: string,
  sql: string,
): Promise<{ readonly name: string; drop(): Promise<void> }> {
  const { url, drop } = await createDatabase(serverUrl, 'derived', `template "${template}"`)
  await runOn(url, sql)
  return { name: new URL(url).pathname.slice(1), drop }
}

async function createDatabase(serverUrl: string, purpose: string, clause: string): Promise<TestDatabase> {
  const name = `earshot_${purpose}_${randomUUID().replaceAll('-', '')}`
  await runOn(serverUrl, `create database "${name}" ${clause}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runOn(serverUrl, `drop database if exists "${name}" with (force)`) }
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
