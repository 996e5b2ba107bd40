import pg from 'pg'

export interface Sizes {
  /** Sessions at the primary by name of the program. */
  readonly sessions: Readonly<Record<string, number>>
  readonly databaseBytes: number
  /** Written to the WAL since the cluster was made. */
  readonly walBytes: number
}

/** What the database uses at the primary. */
export async function readSizes(url: string): Promise<Sizes> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Sizes>(
      `select pg_database_size(current_database())::float8 as "databaseBytes",
        (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as "walBytes",
        (select jsonb_object_agg(name, n) from (select application_name as name, count(*) as n from pg_stat_activity
           where usename = 'earshot_app' group by 1) as s) as sessions`,
    )
    return rows[0] ?? { databaseBytes: 0, walBytes: 0, sessions: {} }
  } finally {
    await client.end()
  }
}
