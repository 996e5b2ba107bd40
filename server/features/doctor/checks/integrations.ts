import { type Check, failed, notApplicable, ok, warning } from '../check.ts'
import { readIntegrations } from '../operation.queries.ts'

const fewestAttempts = 5

export const integrationChecks: readonly Check[] = [
  {
    id: 'integrations',
    area: 'Integrations',
    title: 'Disabled integrations',
    remedy: 'Their owners were emailed. Ask them to connect the service again.',
    needsDatabase: true,
    run: async ({ database }) => {
      const { active, disabled } = await readIntegrations(database)
      if (disabled === 0) return ok(active === 0 ? 'No integration is connected.' : 'No integration is disabled.')
      return warning(
        `${disabled} ${disabled === 1 ? 'integration is' : 'integrations are'} disabled: the service refused.`,
      )
    },
  },
  {
    id: 'outbound',
    area: 'Integrations',
    title: 'Outgoing connections',
    remedy: 'Let this machine resolve names and make HTTPS requests. Check its firewall and DNS.',
    needsDatabase: true,
    run: async ({ database }) => {
      const { attempted, answered, reached } = await readIntegrations(database)
      if (attempted < fewestAttempts || reached < 2) return notApplicable('Too few deliveries in the last 24 hours.')
      if (answered > 0) return ok(`${answered} of ${attempted} deliveries were answered.`)
      return failed(`None of ${attempted} deliveries to ${reached} integrations was answered.`)
    },
  },
]
