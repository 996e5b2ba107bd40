import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { readErrorCode, readErrorMessage } from '../read-error.ts'
import { StartError } from './start-error.ts'

// Started by root, PostgreSQL runs as another user, who passes through the folder to its own.
const ownerOnly = process.getuid?.() === 0 ? 0o711 : 0o700

/**
 * Creates the data folder if it is missing and checks that this process can read and write it. Takes away the rights of
 * other users: the folder contains visitors' files and the instance's keys.
 *
 * @throws StartError naming the problem
 */
export function prepareDataDir(
  dataDir: string,
  warn: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): void {
  try {
    makeFolder(dataDir)
    if (!statSync(dataDir).isDirectory()) throw new StartError(`DATA_DIR ${dataDir} is not a folder.`)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    readdirSync(dataDir)
    narrow(dataDir, warn)
  } catch (error) {
    if (error instanceof StartError) throw error
    const code = readErrorCode(error)
    if (code === 'EEXIST' || code === 'ENOTDIR') throw new StartError(`DATA_DIR ${dataDir} is a file, not a folder.`)
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
      throw new StartError(
        `This user can’t read and write the data folder ${dataDir}. Change its permissions, or set DATA_DIR.`,
      )
    }
    throw new StartError(`Couldn’t use the data folder ${dataDir}: ${readErrorMessage(error)}`)
  }
}

/** Node's own recursive mkdir never returns where a folder is refused with ENOENT, as in /proc. */
function makeFolder(folder: string, isLast = true): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent, false)
  mkdirSync(folder, { mode: isLast ? ownerOnly : 0o777 })
}

function narrow(dataDir: string, warn: (line: string) => void): void {
  if (process.platform === 'win32') return
  const mode = statSync(dataDir).mode & 0o777
  const narrowed = mode & ownerOnly
  if (narrowed === mode) return
  const [before, after] = [mode, narrowed].map((each) => each.toString(8).padStart(4, '0'))
  try {
    chmodSync(dataDir, narrowed)
    warn(`Other users could read the data folder ${dataDir}: its mode was ${before} and is ${after} now.`)
  } catch {
    warn(`Other users can read the data folder ${dataDir}: its mode is ${before}. Change it to ${after}.`)
  }
}
