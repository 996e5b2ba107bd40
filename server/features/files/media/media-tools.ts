import { basename, dirname, join } from 'node:path'
import type { Log } from '#server/platform/log/log.ts'
import { runTool, ToolError, type ToolRun } from '../run-tool.ts'

/** The ffmpeg of this machine. */
export interface MediaTools {
  readonly canEncode: boolean
  /** Time that one conversion may take. */
  readonly timeoutMs: number
  /** Aborted when the server stops: what is under way is killed and done again later. */
  readonly signal: AbortSignal
  /** @throws ToolError */
  ffmpeg(args: readonly string[], run?: Partial<ToolRun>): Promise<string>
  /** @throws ToolError */
  ffprobe(args: readonly string[]): Promise<string>
}

const briefMs = 30_000
// A decoder that wants more than this was told to by a hostile file.
const maxAddressSpaceBytes = 4 * 1024 ** 3

/**
 * Looks once for ffmpeg and ffprobe, and says in the log what was found.
 *
 * @returns undefined where there is none: recordings are then kept as they were recorded.
 */
export async function findMediaTools(options: {
  ffmpegPath: string
  timeoutSeconds: number
  signal: AbortSignal
  log: Log
}): Promise<MediaTools | undefined> {
  const { ffmpegPath, signal, log } = options
  const brief = { timeoutMs: briefMs, signal }
  try {
    const ffprobePath = join(dirname(ffmpegPath), basename(ffmpegPath).replace('ffmpeg', 'ffprobe'))
    const version = /version (\S+)/.exec(await runTool([ffmpegPath, '-version'], brief))?.[1] ?? 'of unknown version'
    await runTool([ffprobePath, '-version'], brief)
    const encoders = await runTool([ffmpegPath, '-hide_banner', '-encoders'], brief)
    const canEncode = /\blibx264\b/.test(encoders) && /\baac\b/.test(encoders)
    const limiter = await findLimiter(signal)
    log.info(
      { version, canEncode, isMemoryLimited: limiter.length > 0 },
      canEncode
        ? 'recordings are converted with ffmpeg'
        : 'this ffmpeg cannot make H.264: recordings are only repacked',
    )
    const timeoutMs = options.timeoutSeconds * 1000
    return {
      canEncode,
      timeoutMs,
      signal,
      ffmpeg: (args, run = {}) => runTool([...limiter, ffmpegPath, ...args], { timeoutMs, signal, ...run }),
      ffprobe: (args) => runTool([...limiter, ffprobePath, ...args], brief),
    }
  } catch (error) {
    if (signal.aborted) return undefined
    if (!(error instanceof ToolError)) throw error
    log.warn(`no ffmpeg at ${ffmpegPath}: recordings are kept as they were recorded`)
    return undefined
  }
}

/** A command prefix that limits memory, on systems that have one. */
async function findLimiter(signal: AbortSignal): Promise<string[]> {
  const limiter = ['prlimit', `--as=${maxAddressSpaceBytes}`]
  try {
    await runTool([...limiter, 'true'], { timeoutMs: briefMs, signal })
    return limiter
  } catch (error) {
    if (error instanceof ToolError) return []
    throw error
  }
}
