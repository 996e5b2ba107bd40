import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { makeAppLogin } from '#server/platform/database/app-login.ts'
import { createTemplateDatabase } from './template-database.ts'
import { startThrowawayPostgres } from './throwaway-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the PostgreSQL server that this run uses, as superuser. */
    databaseServerUrl: string
    /** The same server, as the app's login. */
    appServerUrl: string
    /** Name of the migrated database that test databases are copied from. */
    templateDatabase: string
  }
}

/**
 * One PostgreSQL server and one migrated template database for the whole run. TEST_DATABASE_URL names a running server
 * to use instead: its login must be allowed to create databases and roles.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const server = given ? { url: given, stop: async () => {} } : await startThrowawayPostgres()
  try {
    const template = await createTemplateDatabase(server.url)
    project.provide('databaseServerUrl', server.url)
    project.provide('appServerUrl', await makeAppLogin(server.url))
    project.provide('templateDatabase', template)
    return async () => {
      if (given) await dropDatabase(given, template)
      await server.stop()
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`drop database if exists "${name}" with (force)`)
  await client.end()
}
