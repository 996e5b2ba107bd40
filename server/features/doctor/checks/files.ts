import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { readErrorCode, readErrorMessage } from '#server/platform/read-error.ts'
import { askAddress } from '../ask-address.ts'
import { type Check, failed, notApplicable, ok, warning } from '../check.ts'

const run = promisify(execFile)
/** Object stores refuse requests whose time differs by more than 15 minutes. */
const mostClockDifferenceMs = 5 * 60_000

export const fileChecks: readonly Check[] = [
  {
    id: 'storage',
    area: 'Files',
    title: 'Storage of files',
    remedy: 'Check S3_BUCKET, S3_ENDPOINT and the access key, or the rights of DATA_DIR/files.',
    run: async ({ config, storage }) => {
      const key = `${randomUUID()}/${randomUUID()}`
      const place = config.s3 ? `The bucket ${config.s3.bucket}` : 'DATA_DIR/files'
      try {
        await storage.append(key, oneChunk('doctor'), 0)
        await storage.finish(key)
        if ((await text(await storage.read(key))) !== 'doctor')
          return failed(`${place} gave another content than was stored.`)
        await storage.remove(key)
        if (await storage.stat(key)) return failed(`${place} does not delete files.`)
        return ok(`${place} stores, gives and deletes files.`)
      } catch (error) {
        return failed(`${place} can’t be used: ${describeCause(error)}.`)
      }
    },
  },
  {
    id: 'storage-clock',
    area: 'Files',
    title: 'Clock of the object store',
    remedy: 'Switch on time synchronisation (NTP) on this machine, or on that of the object store.',
    run: async ({ config: { s3 }, machine }) => {
      if (!s3) return notApplicable('Files are in the data folder.')
      const answer = await askAddress(s3.endpoint ?? `https://s3.${s3.region}.amazonaws.com`)
      if (answer.status === null) return failed(`The object store does not answer: ${answer.problem}.`)
      const theirs = Date.parse(answer.headers.get('date') ?? '')
      if (Number.isNaN(theirs)) return notApplicable('The object store does not say what time it is.')
      const differenceMs = Math.abs(theirs - machine.now())
      if (differenceMs < mostClockDifferenceMs) return ok('The object store agrees on the time.')
      return failed(`The object store differs by ${Math.round(differenceMs / 60_000)} minutes, and refuses requests.`)
    },
  },
  {
    id: 'ffmpeg',
    area: 'Files',
    title: 'ffmpeg',
    remedy: 'Install ffmpeg with ffprobe, or set FFMPEG_PATH to it, then restart the workers.',
    run: async ({ config: { media } }) => {
      const probe = join(dirname(media.ffmpegPath), basename(media.ffmpegPath).replace('ffmpeg', 'ffprobe'))
      for (const tool of [media.ffmpegPath, probe]) {
        const problem = await run(tool, ['-version'], { timeout: 10_000 }).then(
          () => undefined,
          (error: unknown) => readErrorCode(error) ?? 'it failed',
        )
        if (problem !== undefined) {
          return warning(`${tool} can’t be run (${problem}): recordings don’t play in every browser.`)
        }
      }
      return ok('ffmpeg and ffprobe can be run here.')
    },
  },
]

async function* oneChunk(content: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(content)
}

/** Object stores name the cause by a name of the error: InvalidAccessKeyId, RequestTimeTooSkewed. */
function describeCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && cause.name !== 'Error') return `${cause.name}: ${cause.message}`
  return readErrorCode(cause) ?? readErrorMessage(cause)
}
