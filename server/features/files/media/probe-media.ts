import { ToolError } from '../run-tool.ts'
import type { MediaTools } from './media-tools.ts'

/** What a recording holds. */
export interface MediaFacts {
  readonly videoCodec: string | undefined
  readonly audioCodec: string | undefined
  readonly width: number | undefined
  readonly height: number | undefined
  /** Undefined where the file does not say, as recordings of browsers do not. */
  readonly durationMs: number | undefined
}

interface ProbeOutput {
  streams?: {
    codec_type?: string
    codec_name?: string
    width?: number
    height?: number
    disposition?: { attached_pic?: number }
  }[]
  format?: { duration?: string }
}

/** How each type is read. Named, because a file that may choose could choose a playlist that opens other files. */
const demuxers: Readonly<Record<string, string>> = {
  'audio/mp4': 'mov',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/webm': 'matroska',
  'video/mp4': 'mov',
  'video/ogg': 'ogg',
  'video/webm': 'matroska',
}

/** Arguments that restrict ffmpeg and ffprobe to reading one file. */
export function inputArguments(path: string, mime: string): string[] {
  const demuxer = demuxers[mime]
  if (demuxer === undefined) throw new Error(`${mime} is neither sound nor video`)
  return ['-protocol_whitelist', 'file', '-f', demuxer, '-i', `file:${path}`]
}

/** @returns undefined when nothing in it can be played. */
export async function probeMedia(tools: MediaTools, path: string, mime: string): Promise<MediaFacts | undefined> {
  const show = [
    '-show_entries',
    'stream=codec_type,codec_name,width,height:stream_disposition=attached_pic:format=duration',
  ]
  const output = await tools
    .ffprobe(['-v', 'error', ...show, '-of', 'json', ...inputArguments(path, mime)])
    .catch((error: unknown) => {
      if (error instanceof ToolError) return '{}'
      throw error
    })
  // ffprobe's JSON; every field that is read is optional.
  const { streams = [], format } = JSON.parse(output) as ProbeOutput
  // A picture of a record's sleeve is no video.
  const video = streams.find((each) => each.codec_type === 'video' && each.disposition?.attached_pic !== 1)
  const audio = streams.find((each) => each.codec_type === 'audio')
  if (!video && !audio) return undefined
  const seconds = Number(format?.duration)
  return {
    videoCodec: video?.codec_name,
    audioCodec: audio?.codec_name,
    width: video?.width || undefined,
    height: video?.height || undefined,
    durationMs: seconds > 0 ? Math.round(seconds * 1000) : undefined,
  }
}
