import { sql } from 'kysely'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { RpcFunction } from './rpc-functions.ts'

/**
 * Calls the function and has the database write the result as JSON, so that its types look as PostgREST's do.
 *
 * @returns JSON text: an array for a function that returns rows.
 */
export async function callFunction(
  tx: TenantTx,
  { name, parameters, returns }: RpcFunction,
  values: Readonly<Record<string, string | null>>,
): Promise<string> {
  const call = sql`${sql.id('public', name)}(${sql.join(
    parameters.map((parameter) => sql`${sql.id(parameter)} => ${values[parameter] ?? null}::uuid`),
  )})`
  const query =
    returns === 'rows'
      ? sql<{ body: string }>`select coalesce(json_agg(to_json(r)), '[]')::text as body from ${call} r`
      : sql<{ body: string }>`select coalesce(to_json(${call}), 'null')::text as body`
  const { rows } = await query.execute(tx)
  return rows[0]?.body ?? 'null'
}
