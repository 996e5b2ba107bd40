import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'
import { readErrorCode, readErrorMessage } from '#server/platform/read-error.ts'

/**
 * Creates the data folder if it is missing and checks that this process can read and write it.
 *
 * @throws StartError naming the problem
 */
export function prepareDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir)
    if (!statSync(dataDir).isDirectory()) throw new StartError(`DATA_DIR ${dataDir} is not a folder.`)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    readdirSync(dataDir)
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
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  mkdirSync(folder)
}
