import { createServer } from 'node:net'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'

/** A port that the product is about to use; `setting` is its variable. */
export type WantedPort = { setting: string; port: number; host: string }

/**
 * Makes sure that ports are free before anything is started.
 *
 * @throws StartError naming the first one in use
 */
export async function checkPorts(wanted: readonly WantedPort[]): Promise<void> {
  const seen = new Map<number, string>()
  for (const { setting, port } of wanted) {
    const other = seen.get(port)
    if (other !== undefined && port !== 0) throw new StartError(`${other} and ${setting} are both ${port}.`)
    seen.set(port, setting)
  }
  const results = await Promise.all(wanted.map(async (each) => ({ ...each, code: await tryToListen(each) })))
  for (const { setting, port, code } of results) {
    if (code === 'EADDRINUSE') {
      throw new StartError(`Port ${port} is in use. Stop the program that uses it, or set ${setting} to another port.`)
    }
    if (code === 'EACCES')
      throw new StartError(`Port ${port} may not be used by this user. Set ${setting} to another port.`)
    if (code === 'EADDRNOTAVAIL')
      throw new StartError(`The address for port ${port} (${setting}) does not belong to this machine.`)
  }
}

async function tryToListen({ port, host }: WantedPort): Promise<string | undefined> {
  // `localhost` has two addresses: another program may use either.
  const hosts = host === 'localhost' ? ['127.0.0.1', '::1'] : [host]
  const codes = await Promise.all(hosts.map((each) => listenOnce(port, each)))
  const failed = codes.filter((code) => code !== undefined)
  // A machine without IPv6 lacks ::1 and ::, which is fine.
  return (
    failed.find((code) => code !== 'EADDRNOTAVAIL' && code !== 'EAFNOSUPPORT') ??
    (host.includes(':') ? undefined : failed.length === hosts.length ? failed[0] : undefined)
  )
}

function listenOnce(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}
