import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from './start-error.ts'

/** The user that PostgreSQL runs as, and how to become it. */
export type RunAs = {
  owner?: { uid: number; gid: number }
  /** Turns a program and its arguments into the command to spawn. */
  wrap(program: string, args: string[]): { command: string; args: string[]; options: { uid?: number; gid?: number } }
}

const unchanged: RunAs = { wrap: (command, args) => ({ command, args, options: {} }) }

/**
 * PostgreSQL refuses to run as root. Started by root (a container, a small server), it runs as the owner of its data, or
 * as the user `postgres`, which is created if there is none.
 *
 * @param cluster folder of the database cluster; need not exist
 * @param programs folder of the PostgreSQL programs
 * @throws StartError when there is no such user, or it can't enter one of the folders
 */
export function chooseUser(cluster: string, programs: string): RunAs {
  if (process.platform === 'win32') return unchanged
  if (process.getuid?.() !== 0) {
    if (existsSync(cluster) && statSync(cluster).uid !== process.getuid?.()) {
      throw new StartError(`${cluster} belongs to another user. Start Earshot as that user, or set DATA_DIR.`)
    }
    return unchanged
  }
  const owner = findOwner(cluster) ?? findPostgresUser() ?? addPostgresUser()
  const closed = findClosedFolder(owner, [dirname(cluster), programs])
  if (closed === undefined) {
    return { owner, wrap: (command, args) => ({ command, args, options: owner }) }
  }
  // A clone under /root or in a folder from mktemp is closed to other users. Instead of changing its permissions,
  // PostgreSQL gets the one capability that lets it pass through.
  // With the first flag, access(2) sees that capability too: initdb asks it for the other programs.
  const flags = ['--securebits', '+no_setuid_fixup', '--reuid', String(owner.uid), '--regid', String(owner.gid)]
  flags.push('--clear-groups', '--inh-caps', '+dac_override', '--ambient-caps', '+dac_override', '--')
  if (spawnSync('setpriv', [...flags, 'true'], { stdio: 'ignore' }).status !== 0) {
    throw new StartError(
      `Started by root, PostgreSQL runs as another user (uid ${owner.uid}), which can’t enter ${closed}. Start Earshot as an ordinary user, or move it and DATA_DIR to a folder that every user can enter.`,
    )
  }
  return { owner, wrap: (command, args) => ({ command: 'setpriv', args: [...flags, command, ...args], options: {} }) }
}

/**
 * Changes the owner of a folder and its contents. A backup restored by root belongs to root, and PostgreSQL refuses it.
 */
export function giveTo(runAs: RunAs, folder: string): void {
  const { owner } = runAs
  if (owner === undefined || lstatSync(folder).uid === owner.uid) return
  chownSync(folder, owner.uid, owner.gid)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) giveTo(runAs, path)
    else if (entry.isFile()) chownSync(path, owner.uid, owner.gid)
  }
}

function findOwner(cluster: string): { uid: number; gid: number } | undefined {
  if (!existsSync(cluster)) return undefined
  const { uid, gid } = statSync(cluster)
  return uid === 0 ? undefined : { uid, gid }
}

function findPostgresUser(): { uid: number; gid: number } | undefined {
  try {
    const read = (flag: string) =>
      Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }))
    return { uid: read('-u'), gid: read('-g') }
  } catch {
    return undefined
  }
}

function addPostgresUser(): { uid: number; gid: number } {
  spawnSync('groupadd', ['--system', 'postgres'], { stdio: 'ignore' })
  spawnSync('useradd', ['--system', '--gid', 'postgres', '--no-create-home', 'postgres'], { stdio: 'ignore' })
  const user = findPostgresUser()
  if (user === undefined) {
    throw new StartError(
      'PostgreSQL does not run as root, and adding a user `postgres` failed. Start Earshot as an ordinary user, or set DATABASE_URL.',
    )
  }
  return user
}

function findClosedFolder(user: { uid: number; gid: number }, folders: string[]): string | undefined {
  for (const start of folders) {
    for (let folder = start; ; folder = dirname(folder)) {
      const { mode, uid, gid } = statSync(folder)
      const mayEnter = uid === user.uid ? mode & 0o100 : gid === user.gid ? mode & 0o010 : mode & 0o001
      if (!mayEnter) return folder
      if (folder === dirname(folder)) break
    }
  }
  return undefined
}
