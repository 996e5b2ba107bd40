import type { Config } from '#server/config.ts'
import { type Check, ok, warning } from '../check.ts'
import * as queries from '../doctor.queries.ts'

/** Checks of an instance whose processes run on several machines. */
export const machinesChecks: readonly Check[] = [
  {
    id: 'shared-settings',
    area: 'Security',
    title: 'Secrets and files of several machines',
    remedy:
      'Give all processes the same INSTANCE_SECRET and GOTRUE_JWT_KEYS, and a bucket (S3_BUCKET). The guide “Many machines” says how.',
    needsDatabase: true,
    run: async ({ database, config }) => {
      const hosts = await queries.countHosts(database)
      if (hosts <= 1) return ok('All processes run on one machine.')
      const missing = listMissing(config)
      if (missing.length === 0) return ok(`Processes on ${hosts} machines share their secrets and files by settings.`)
      return warning(
        `Processes run on ${hosts} machines, and ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set: ` +
          'that works only while all machines share one DATA_DIR.',
      )
    },
  },
]

function listMissing({ instanceSecret, s3, supabase, auth }: Config): string[] {
  const hasKeys = supabase !== null || auth.jwtKeys !== null || auth.jwtSecret !== null
  return [
    ...(instanceSecret === null ? ['INSTANCE_SECRET'] : []),
    ...(hasKeys ? [] : ['GOTRUE_JWT_KEYS']),
    ...(s3 === null ? ['S3_BUCKET'] : []),
  ]
}
