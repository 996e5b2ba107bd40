import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { postgresFolder } from './debian.ts'
import { type Program, startProgram } from './program.ts'

export interface Member {
  readonly name: string
  readonly port: number
  readonly apiPort: number
  readonly dataDir: string
  patroni: Program
}

/** As Patroni's REST API tells of a member. */
interface MemberState {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
  readonly lag?: number | string
}

export interface Cluster {
  readonly members: readonly Member[]
  /** The member that has the leader lock and runs, or undefined. */
  findPrimary(): Promise<Member | undefined>
  /** Resolves when all three run on one timeline and one of the replicas is synchronous. */
  untilWhole(): Promise<void>
  /** What one member says of all. */
  read(): Promise<readonly MemberState[]>
  start(member: Member): void
  stop(): Promise<void>
}

export interface ClusterOptions {
  readonly folder: string
  readonly user: { uid: number; gid: number } | undefined
  readonly etcdHosts: string
  readonly ports: readonly { database: number; api: number }[]
  readonly passwords: { readonly superuser: string; readonly replication: string; readonly rewind: string }
}

const host = '127.0.0.1'
const settingsFile = join(import.meta.dirname, '../../deploy/postgres-ha/patroni.yml')
const wholeAfterMs = 120_000

/** Three members with the settings of `deploy/postgres-ha/patroni.yml`. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const members: Member[] = options.ports.map(({ database, api }, n) => {
    const name = `db${n + 1}`
    const member = { name, port: database, apiPort: api, dataDir: join(options.folder, name) }
    return { ...member, patroni: startPatroni(member, options) }
  })
  const read = () => readMembers(members)
  // A member whose Patroni was killed may have left its PostgreSQL.
  const killAll = () => {
    for (const { dataDir } of members) killPostgres(dataDir)
  }
  process.once('exit', killAll)
  const cluster: Cluster = {
    members,
    read,
    findPrimary: async () => {
      const leader = (await read()).find(({ role, state }) => role === 'leader' && state === 'running')
      return members.find(({ name }) => name === leader?.name)
    },
    untilWhole: async () => {
      let states: readonly MemberState[] = []
      for (const until = performance.now() + wholeAfterMs; performance.now() < until; await pause(250)) {
        states = await read()
        if (isWhole(states)) return
      }
      throw new Error(`the cluster did not become whole: ${JSON.stringify(states)}`)
    },
    start: (member) => {
      member.patroni = startPatroni(member, options)
    },
    stop: async () => {
      await Promise.all(members.map(({ patroni }) => patroni.stop()))
      killAll()
      process.off('exit', killAll)
    },
  }
  try {
    await cluster.untilWhole()
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

function startPatroni(
  { name, port, apiPort, dataDir }: Omit<Member, 'patroni'>,
  { folder, user, etcdHosts, passwords }: ClusterOptions,
): Program {
  return startProgram('patroni', [settingsFile], {
    folder,
    name,
    user,
    env: {
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: etcdHosts,
      PATRONI_RESTAPI_LISTEN: `${host}:${apiPort}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${host}:${apiPort}`,
      PATRONI_POSTGRESQL_LISTEN: `${host}:${port}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${host}:${port}`,
      PATRONI_POSTGRESQL_DATA_DIR: dataDir,
      PATRONI_POSTGRESQL_BIN_DIR: postgresFolder,
      PATRONI_POSTGRESQL_PGPASS: join(folder, `${name}.pgpass`),
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: passwords.replication,
      PATRONI_REWIND_USERNAME: 'rewinder',
      PATRONI_REWIND_PASSWORD: passwords.rewind,
    },
  })
}

async function readMembers(members: readonly Member[]): Promise<readonly MemberState[]> {
  for (const { apiPort } of members) {
    const reply = await fetch(`http://${host}:${apiPort}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => undefined,
    )
    if (reply?.ok) return ((await reply.json()) as { members: MemberState[] }).members
  }
  return []
}

function isWhole(states: readonly MemberState[]): boolean {
  const leader = states.find(({ role }) => role === 'leader')
  const replicas = states.filter(({ role }) => role !== 'leader')
  return (
    leader?.state === 'running' &&
    replicas.length === 2 &&
    replicas.some(({ role }) => role === 'sync_standby') &&
    replicas.every(
      ({ state, timeline, lag }) =>
        (state === 'running' || state === 'streaming') && timeline === leader.timeline && Number(lag) < 1_000_000,
    )
  )
}

/** The process of PostgreSQL; undefined: none runs on that folder. */
export function findPostmaster(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}

/** Kills PostgreSQL with all its sessions, as the end of a machine does. */
export function killPostgres(dataDir: string): void {
  const postmaster = findPostmaster(dataDir)
  if (postmaster === undefined) return
  const sessions = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0)
  for (const pid of [postmaster, ...sessions]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}
