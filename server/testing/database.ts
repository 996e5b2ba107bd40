import { inject } from 'vitest'
import { cloneDatabase, createEmptyDatabase, type TestDatabase } from './template-database.ts'

/** A migrated database of the caller's own. Cheap enough (some 50 ms) to have one per test file, or per test. */
export function createTestDatabase(): Promise<TestDatabase & { readonly appUrl: string }> {
  return cloneDatabase(inject('databaseServerUrl'), inject('templateDatabase'), inject('appServerUrl'))
}

/** A database that no migration has touched. */
export function createBlankDatabase(): Promise<TestDatabase> {
  return createEmptyDatabase(inject('databaseServerUrl'))
}
