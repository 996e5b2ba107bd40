import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Programs of Debian 12 that the bench runs, and the packages that bring them. */
const programs: Readonly<Record<string, string>> = {
  patroni: '/usr/bin/patroni',
  'python3-etcd': '/usr/lib/python3/dist-packages/etcd',
  'python3-psycopg2': '/usr/lib/python3/dist-packages/psycopg2',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
}

export const postgresFolder = '/usr/lib/postgresql/15/bin'

/** Packages that are not installed. */
export function findMissingPrograms(): string[] {
  return Object.entries(programs).flatMap(([name, path]) => (existsSync(path) ? [] : [name]))
}

/**
 * Installs what is missing. Debian starts what it installs, on the usual ports, unless `/usr/sbin/policy-rc.d` forbids it, as
 * in containers.
 *
 * @throws Error with the command to run where this user may not install.
 */
export function installPrograms(): void {
  const missing = findMissingPrograms()
  if (missing.length === 0) return
  const install = ['install', '-y', '--no-install-recommends', '--no-upgrade', ...missing]
  if (process.getuid?.() !== 0 || !existsSync('/usr/sbin/policy-rc.d')) {
    throw new Error(`Missing: ${missing.join(', ')}. As root, on Debian 12, run: apt-get ${install.join(' ')}`)
  }
  for (const args of [['update'], install]) {
    const { status } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=120', '-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed`)
  }
}

/** Who runs the database: PostgreSQL refuses root. */
export function findDatabaseUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const read = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: read('-u'), gid: read('-g') }
}
