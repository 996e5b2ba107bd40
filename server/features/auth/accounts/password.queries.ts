import { sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'

/** Replaces a hash by another of the same password, unless the password has changed since. */
export async function replacePasswordHash(
  tx: AuthTx,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<void> {
  await tx
    .updateTable('auth.users')
    .set({ encrypted_password: to })
    .where('id', '=', userId)
    .where('encrypted_password', '=', from)
    .execute()
}

/**
 * The cost parameters of a random sample of hashes: cut before the salt. Ids are random, so the first ones by primary
 * key are a fair and cheap sample.
 */
export async function sampleHashKinds(tx: AuthTx, size: number): Promise<{ kind: string; count: number }[]> {
  const kind = sql<string>`substring(encrypted_password from '^(\\$2[aby]\\$..\\$|\\$[a-z0-9]+\\$(?:v=19\\$)?[^$]+\\$)')`
  const rows = await tx
    .selectFrom((select) =>
      select
        .selectFrom('auth.users')
        .select(kind.as('kind'))
        .where('encrypted_password', '<>', '')
        .orderBy('id')
        .limit(size)
        .as('sample'),
    )
    .select('kind')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('kind', 'is not', null)
    .groupBy('kind')
    .execute()
  return rows
}
