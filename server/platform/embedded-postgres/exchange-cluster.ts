import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * A new cluster takes the place of one that another major version of PostgreSQL wrote. It is filled in a folder of its own. Once
 * it is whole, a file there says so, and from then on every start completes the exchange first: a kill between two renames
 * leaves neither two clusters nor none.
 */

const readyFile = 'ready.json'

/** The folder in which the new cluster is filled, as if it were a data folder. */
export function stagingFolder(dataDir: string): string {
  return join(dataDir, 'postgres-upgrade')
}

/** Whether the data folder has a cluster, at its place or just before it. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres')) || existsSync(join(stagingFolder(dataDir), readyFile))
}

/** A name beside the cluster that is free, e.g. `postgres-17-old`. */
export function chooseOldName(dataDir: string, major: number): string {
  for (let n = 1; ; n += 1) {
    const name = `postgres-${major}-old${n === 1 ? '' : `-${n}`}`
    if (!existsSync(join(dataDir, name)) && !existsSync(join(dataDir, `${name}.json`))) return name
  }
}

/** Says that the staged cluster is whole and stopped. The old one gets the name `oldName`. */
export function declareReady(dataDir: string, oldName: string): void {
  const path = join(stagingFolder(dataDir), readyFile)
  const draft = `${path}.new`
  writeFileSync(draft, JSON.stringify({ oldName }), { mode: 0o600 })
  const file = openSync(draft, 'r+')
  fsyncSync(file)
  closeSync(file)
  renameSync(draft, path)
}

/** Completes an exchange that is ready. Each step is made once, wherever the one before was interrupted. Call only while holding the lock of the data folder. */
export function finishExchange(dataDir: string): void {
  const staging = stagingFolder(dataDir)
  if (!existsSync(join(staging, readyFile))) return
  // Our own file, which was complete before it got its name.
  const { oldName } = JSON.parse(readFileSync(join(staging, readyFile), 'utf8')) as { oldName: string }
  const [cluster, staged, old] = [join(dataDir, 'postgres'), join(staging, 'postgres'), join(dataDir, oldName)]
  // The staged cluster moves last: as long as it is there, the other one is the old one.
  if (existsSync(staged)) {
    if (existsSync(cluster)) renameSync(cluster, old)
    if (existsSync(`${staged}.json`)) {
      if (existsSync(`${cluster}.json`)) renameSync(`${cluster}.json`, `${old}.json`)
      renameSync(`${staged}.json`, `${cluster}.json`)
    }
    renameSync(staged, cluster)
  }
  rmSync(staging, { recursive: true, force: true })
}
