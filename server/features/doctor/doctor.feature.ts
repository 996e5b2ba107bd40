import type { FastifyRequest } from 'fastify'
import { getDoctorReport } from '#contract/superadmin-doctor.ts'
import type { Feature } from '#server/platform/feature.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { readErrorCode, readErrorMessage } from '#server/platform/read-error.ts'
import type { SeenRequest } from './check.ts'
import { thisMachine } from './machine.ts'
import { runDoctor } from './run-doctor.ts'

/** Checks of the instance, each with what to do. Also a command: `npm run doctor`. */
export function createDoctorFeature({ config, database, replica, storage }: Platform): Feature {
  return {
    name: 'doctor',
    routes: (app) => {
      addRoute(app, getDoctorReport, async ({ request }) => {
        const databaseProblem = await database.ping().then(
          () => null,
          (error: unknown) => readErrorCode(error) ?? readErrorMessage(error),
        )
        const report = await runDoctor({
          config,
          storage,
          machine: thisMachine,
          database: databaseProblem === null ? database : null,
          databaseProblem,
          replica,
          seen: describeRequest(request),
          envFile: '.env',
        })
        return answer(200, report)
      })
    },
  }
}

function describeRequest({ headers, protocol, ip, host, socket }: FastifyRequest): SeenRequest {
  const forwardedFor = headers['x-forwarded-for']
  return {
    host,
    protocol,
    ip,
    remoteAddress: socket.remoteAddress ?? '',
    forwardedFor: forwardedFor === undefined ? null : String(forwardedFor),
  }
}
