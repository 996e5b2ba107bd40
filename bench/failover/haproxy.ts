import { join } from 'node:path'
import { type Program, startProgram } from './program.ts'

const folderOfSettings = join(import.meta.dirname, '../../deploy/postgres-ha')
const host = '127.0.0.1'

interface Where {
  readonly folder: string
  readonly user: { uid: number; gid: number } | undefined
}

/** In front of the members: a port for the primary, and one for replicas. */
export function startDatabaseProxy(
  where: Where,
  ports: { primary: number; replicas: number },
  members: readonly { port: number; apiPort: number }[],
): Program {
  const addresses = members.flatMap(({ port, apiPort }, n) => [
    [`DB${n + 1}`, `${host}:${port}`],
    [`DB${n + 1}_API_PORT`, String(apiPort)],
  ])
  return startProxy(where, 'haproxy-database', {
    PRIMARY_BIND: `${host}:${ports.primary}`,
    REPLICA_BIND: `${host}:${ports.replicas}`,
    ...Object.fromEntries(addresses),
  })
}

/** In front of two web processes. */
export function startWebProxy(where: Where, port: number, webPorts: readonly number[]): Program {
  const addresses = webPorts.map((webPort, n) => [`WEB${n + 1}`, `${host}:${webPort}`])
  return startProxy(where, 'haproxy-web', { WEB_BIND: `${host}:${port}`, ...Object.fromEntries(addresses) })
}

function startProxy({ folder, user }: Where, name: string, env: Record<string, string>): Program {
  return startProgram('haproxy', ['-db', '-f', join(folderOfSettings, `${name}.cfg`)], { folder, name, env, user })
}
