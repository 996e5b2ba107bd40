import { createHash } from 'node:crypto'
import { existsSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

/** The longest path that a socket may have on every system (104 bytes on macOS, 108 on Linux, with the closing zero). */
const maxSocketPathBytes = 103

/**
 * Makes this process the only one that uses a data folder. The lock is a socket that this process listens on: it
 * disappears with the process in any case, unlike a pid file.
 *
 * @throws StartError when another instance uses the folder
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): void }> {
  const address = chooseAddress(realpathSync(dataDir))
  for (let attempt = 0; ; attempt += 1) {
    const server = await listen(address)
    if (server !== undefined) return { release: () => server.close() }
    const taken = await answers(address)
    if (taken || attempt > 2)
      throw new StartError(`Another Earshot is running on ${dataDir}. Stop it, or set DATA_DIR.`)
    rmSync(address, { force: true })
  }
}

function chooseAddress(dataDir: string): string {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 32)
  if (process.platform === 'win32') return `\\\\.\\pipe\\earshot-${hash}`
  const inside = join(dataDir, 'running')
  return Buffer.byteLength(inside) <= maxSocketPathBytes ? inside : join(tmpdir(), `earshot-${hash}`)
}

function listen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(new StartError(`Couldn’t lock the data folder (${address}): ${error.message}`))
    })
    server.listen(address, () => {
      server.unref()
      resolve(server)
    })
  })
}

function answers(address: string): Promise<boolean> {
  if (process.platform !== 'win32' && !existsSync(address)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    )
  })
}
