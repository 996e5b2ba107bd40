import { randomUUID } from 'node:crypto'
import { readFile, stat, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readErrorCode, readErrorMessage } from '#server/platform/read-error.ts'
import { type Check, failed, notApplicable, ok, type Verdict, warning } from '../check.ts'
import { readClock, readDatabaseBytes, readTimeZone } from '../doctor.queries.ts'
import { isLocal } from './address.ts'

const mebibyte = 1024 ** 2
const gibibyte = 1024 ** 3
const wantedNode = 24
const gib = (bytes: number) => `${Math.round((bytes / gibibyte) * 10) / 10} GiB`

/** Writes, reads and deletes a small file. */
async function tryFolder(folder: string): Promise<Verdict | undefined> {
  const file = join(folder, `.doctor-${randomUUID()}`)
  try {
    await writeFile(file, 'doctor', { flag: 'wx' })
    if ((await readFile(file, 'utf8')) !== 'doctor')
      return failed(`A file in ${folder} had other content than was written.`)
    return undefined
  } catch (error) {
    return failed(`A file in ${folder} could not be written: ${readErrorCode(error) ?? readErrorMessage(error)}.`)
  } finally {
    await unlink(file).catch(() => {})
  }
}

export const machineChecks: readonly Check[] = [
  {
    id: 'production-mode',
    area: 'Machine',
    title: 'Production mode',
    remedy: 'Set NODE_ENV=production.',
    run: ({ config: { production, appUrl } }) => {
      if (production) return ok('NODE_ENV is production.')
      if (isLocal(appUrl)) return notApplicable('This is no public server.')
      return failed('NODE_ENV is not production, but APP_URL is public: emails are caught and stand-ins answer.')
    },
  },
  {
    id: 'node-version',
    area: 'Machine',
    title: 'Version of Node.js',
    remedy: 'Start Earshot with `npm start`, which uses the Node.js that it brings along.',
    run: ({ machine: { nodeVersion } }) =>
      Number(nodeVersion.split('.')[0]) === wantedNode
        ? ok(`Node.js ${nodeVersion}.`)
        : warning(`Node.js ${nodeVersion} runs, and Earshot is tested with ${wantedNode}.`),
  },
  {
    id: 'node-memory',
    area: 'Machine',
    title: 'Memory limit of Node.js',
    remedy: 'Give the machine or container at least 512 MB, and --max-old-space-size three quarters of it at most.',
    run: ({ machine: { heapLimitBytes, memoryLimitBytes } }) => {
      if (memoryLimitBytes < 512 * mebibyte) {
        return failed(`There are only ${Math.round(memoryLimitBytes / mebibyte)} MiB of memory.`)
      }
      if (heapLimitBytes > memoryLimitBytes) {
        return warning(`Node.js may use ${gib(heapLimitBytes)}, but there are only ${gib(memoryLimitBytes)}.`)
      }
      return ok(`Node.js may use ${gib(heapLimitBytes)} of ${gib(memoryLimitBytes)}.`)
    },
  },
  {
    id: 'memory-used',
    area: 'Machine',
    title: 'Memory in use',
    remedy: 'Give the machine or container more memory, or run fewer services on it.',
    run: ({ machine: { memoryLimitBytes, memoryUsedBytes } }) => {
      const share = memoryUsedBytes / memoryLimitBytes
      const sentence = `This process uses ${gib(memoryUsedBytes)} of ${gib(memoryLimitBytes)}.`
      return share > 0.85 ? warning(sentence) : ok(sentence)
    },
  },
  {
    id: 'languages',
    area: 'Machine',
    title: 'Time zones and languages of Node.js',
    remedy: 'Use a Node.js with full ICU data, and remove NODE_ICU_DATA.',
    run: ({ machine }) => {
      new Intl.DateTimeFormat('en', { timeZone: 'Asia/Kolkata' })
      if (machine.formatGerman(1.5) === '1,5') return ok('Node.js knows time zones and languages.')
      return warning('Node.js knows English alone: dates and numbers in emails are English.')
    },
  },
  {
    id: 'clock',
    area: 'Machine',
    title: 'Clock',
    remedy: 'Switch on time synchronisation (NTP) on this machine and on the database server.',
    needsDatabase: true,
    run: async ({ machine, database }) => {
      const before = machine.now()
      const theirs = await readClock(database)
      const differenceMs = Math.abs(theirs.getTime() - (before + machine.now()) / 2)
      const seconds = Math.round(differenceMs / 1000)
      if (differenceMs > 30_000)
        return failed(`This machine and the database differ by ${seconds} s: sign-ins can fail.`)
      if (differenceMs > 2_000) return warning(`This machine and the database differ by ${seconds} s.`)
      return ok('This machine and the database agree on the time.')
    },
  },
  {
    id: 'database-time-zone',
    area: 'Database',
    title: 'Time zone of the database',
    remedy: "Run `alter database … set timezone = 'UTC'`, remove the setting from the role too, and restart Earshot.",
    needsDatabase: true,
    run: async ({ database }) => {
      const zone = await readTimeZone(database)
      if (/^(Etc\/)?(UTC|UCT|GMT|Zulu|Universal)$/i.test(zone)) return ok('Sessions of the database are in UTC.')
      return failed(`Sessions of the database are in ${zone}: paging through lists can fail.`)
    },
  },
  {
    id: 'data-folder',
    area: 'Machine',
    title: 'Data folder',
    remedy: 'Give the user that runs Earshot the data folder, and take it from others: `chmod 700`.',
    run: async ({ config: { dataDir } }) => {
      const problem = await tryFolder(dataDir)
      if (problem) return problem
      const mode = (await stat(dataDir)).mode & 0o777
      // 0711 is what the built-in PostgreSQL needs where root started it.
      if (process.platform !== 'win32' && mode & 0o066) {
        return warning(
          `Other users of this machine can list ${dataDir}: its mode is ${mode.toString(8).padStart(4, '0')}.`,
        )
      }
      return ok(`${dataDir} can be read and written.`)
    },
  },
  {
    id: 'temporary-folder',
    area: 'Machine',
    title: 'Temporary folder',
    remedy: 'Free space in the temporary folder, or set TMPDIR to another one. Exports and conversions need it.',
    run: async ({ machine }) => {
      const problem = await tryFolder(tmpdir())
      if (problem) return problem
      const { freeBytes } = await machine.readDisk(tmpdir())
      return freeBytes < gibibyte
        ? warning(`Only ${gib(freeBytes)} are free in ${tmpdir()}.`)
        : ok(`${gib(freeBytes)} are free in ${tmpdir()}.`)
    },
  },
  {
    id: 'disk-space',
    area: 'Machine',
    title: 'Free disk space',
    remedy: 'Free space, or enlarge the disk. Below DISK_FLOOR_SUBMISSION_MEGABYTES feedback is refused.',
    run: async ({ config: { dataDir }, machine }) => {
      const { freeBytes, totalBytes } = await machine.readDisk(dataDir)
      const percent = Math.floor((100 * freeBytes) / totalBytes)
      const sentence = `${gib(freeBytes)} (${percent} %) are free on the disk of ${dataDir}.`
      if (percent < 5 || freeBytes < gibibyte / 2) return failed(sentence)
      return percent < 10 ? warning(sentence) : ok(sentence)
    },
  },
  {
    id: 'disk-files',
    area: 'Machine',
    title: 'Free files of the disk',
    remedy: 'Delete small files on this disk, or create its file system with more inodes.',
    run: async ({ config: { dataDir }, machine }) => {
      const { freeFiles, totalFiles } = await machine.readDisk(dataDir)
      if (totalFiles === 0) return notApplicable('This file system has no limit of files.')
      const percent = Math.floor((100 * freeFiles) / totalFiles)
      const sentence = `The disk of ${dataDir} has room for ${percent} % of its files (inodes).`
      if (percent < 2) return failed(sentence)
      return percent < 10 ? warning(sentence) : ok(sentence)
    },
  },
  {
    id: 'database-disk',
    area: 'Machine',
    title: 'Room for the built-in database',
    remedy: 'Enlarge the disk: maintenance of the database can need as much room as the database.',
    needsDatabase: true,
    run: async ({ config, machine, database }) => {
      const isBuiltIn = config.shownSettings.some(
        ({ name, source }) => name === 'DATABASE_URL' && source !== 'environment' && source !== 'file',
      )
      if (!isBuiltIn) return notApplicable('The database is on a server of its own.')
      const [bytes, { freeBytes }] = [await readDatabaseBytes(database), await machine.readDisk(config.dataDir)]
      const sentence = `The database has ${gib(bytes)}, and ${gib(freeBytes)} are free.`
      return freeBytes < bytes ? warning(sentence) : ok(sentence)
    },
  },
]
