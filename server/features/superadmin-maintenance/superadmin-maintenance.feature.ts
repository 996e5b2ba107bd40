import {
  getMaintenance,
  getReadOnlyNotice,
  type MaintenanceState,
  turnOffReadOnly,
  turnOnReadOnly,
} from '#contract/maintenance.ts'
import type { Feature } from '#server/platform/feature.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { ReadOnlyMode } from '#server/platform/read-only/read-only.queries.ts'
import { countJobs } from './maintenance.queries.ts'
import { createMaintenance } from './maintenance.service.ts'

const evenReadOnly = 'superadmins end it, and correct its message'

/**
 * The switch that makes the instance read-only for maintenance. What follows it is in the platform (`read-only`): the
 * refusal of writes, and the workers.
 *
 * @param goingOn names of the jobs that it does not hold back.
 */
export function createSuperadminMaintenanceFeature(
  { database, readOnly }: Pick<Platform, 'database' | 'readOnly'>,
  { listGoingOn }: { listGoingOn: () => readonly string[] },
): Feature {
  const maintenance = createMaintenance(database)
  const readState = async (mode: ReadOnlyMode | undefined): Promise<MaintenanceState> => ({
    readOnly: mode ? { ...toNotice(mode), turnedOnBy: mode.turnedOnBy } : null,
    ...(await database.asSystem('jobs belong to no organisation', (tx) => countJobs(tx, listGoingOn()))),
  })
  return {
    name: 'superadmin-maintenance',
    routes: (app) => {
      addRoute(app, getReadOnlyNotice, async () => {
        const mode = readOnly.current()
        return answer(200, { readOnly: mode ? toNotice(mode) : null }, { 'cache-control': 'no-store' })
      })
      addRoute(app, getMaintenance, async () => answer(200, await readState(await maintenance.find())))
      addRoute(
        app,
        turnOnReadOnly,
        async ({ body, caller }) => {
          if (body.endsAt !== null && !(Date.parse(body.endsAt) > Date.now()))
            throw invalid('body.endsAt', 'must be in the future')
          return answer(200, await readState(await maintenance.turnOn({ userId: caller.actor.userId }, body)))
        },
        { evenReadOnly },
      )
      addRoute(
        app,
        turnOffReadOnly,
        async () => {
          await maintenance.turnOff()
          return answer(200, await readState(undefined))
        },
        { evenReadOnly },
      )
    },
  }
}

function toNotice({ message, endsAt, since }: ReadOnlyMode) {
  return { message, endsAt: endsAt?.toISOString() ?? null, since: since.toISOString() }
}
