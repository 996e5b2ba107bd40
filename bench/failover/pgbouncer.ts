import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Program, startProgram } from './program.ts'

const settingsFile = join(import.meta.dirname, '../../deploy/postgres-ha/pgbouncer-earshot.ini')
const host = '127.0.0.1'

/** PgBouncer in transaction mode with the settings of `deploy/postgres-ha`, in front of the primary. */
export async function startPgBouncer(options: {
  folder: string
  user: { uid: number; gid: number } | undefined
  port: number
  primaryPort: number
  login: string
  password: string
}): Promise<Program & { readonly url: string }> {
  const { folder, user, port, primaryPort, login, password } = options
  const list = join(folder, 'userlist.txt')
  writeFileSync(list, `"${login}" "${password}"\n`)
  chmodSync(list, 0o600)
  if (user) chownSync(list, user.uid, user.gid)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    [
      '[databases]',
      `earshot = host=${host} port=${primaryPort} dbname=earshot`,
      '[pgbouncer]',
      `listen_addr = ${host}`,
      `listen_port = ${port}`,
      `unix_socket_dir =`,
      `auth_file = ${list}`,
      `%include ${settingsFile}`,
      '',
    ].join('\n'),
  )
  const program = startProgram('pgbouncer', [file], { folder, name: 'pgbouncer', user })
  const url = `postgres://${login}:${password}@${host}:${port}/earshot`
  await untilItListens(port)
  return { ...program, url }
}

/** Asks nothing: sessions of the server have to begin after the product has set the login's defaults. */
async function untilItListens(port: number): Promise<void> {
  for (const until = performance.now() + 15_000; performance.now() < until; await pause(100)) {
    const socket = connect(port, host)
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
  }
  throw new Error('PgBouncer does not listen')
}
