import type { MediaTools } from './media-tools.ts'
import { inputArguments } from './probe-media.ts'

const samplesPerSecond = 8000
const windowSamples = samplesPerSecond / 50
const maxValues = 200
const fullScale = 32_768

/** Loudness over the length of a sound: at most 200 values from 0 to 100, and how long it lasts. */
export interface Waveform {
  readonly values: number[]
  readonly durationMs: number
}

/** @throws ToolError */
export async function readWaveform(tools: MediaTools, path: string, mime: string): Promise<Waveform> {
  const peaks = createPeaks()
  const arguments_ = ['-vn', '-ac', '1', '-ar', String(samplesPerSecond), '-f', 's16le', 'pipe:1']
  const input = ['-nostdin', '-v', 'error', ...inputArguments(path, mime)]
  await tools.ffmpeg([...input, '-map', '0:a:0', ...arguments_], { onOutput: peaks.add })
  return { values: summarise(peaks.windows), durationMs: Math.round((peaks.count() / samplesPerSecond) * 1000) }
}

/** Takes 16-bit samples in pieces of any length and keeps the loudest of every 20 ms. */
function createPeaks() {
  const windows: number[] = []
  let samples = 0
  let peak = 0
  let odd: number | undefined
  const addSample = (value: number) => {
    peak = Math.max(peak, Math.abs(value))
    samples += 1
    if (samples % windowSamples !== 0) return
    windows.push(peak)
    peak = 0
  }
  return {
    windows,
    count: () => samples,
    add: (chunk: Buffer) => {
      let at = 0
      if (odd !== undefined && chunk.length > 0) {
        addSample(Buffer.from([odd, chunk[0] ?? 0]).readInt16LE())
        at = 1
      }
      odd = undefined
      for (; at + 1 < chunk.length; at += 2) addSample(chunk.readInt16LE(at))
      if (at < chunk.length) odd = chunk[at]
    },
  }
}

/** Square roots, because ears are no rulers: half as loud is heard far beyond a quarter of full scale. */
function summarise(windows: readonly number[]): number[] {
  const count = Math.min(maxValues, windows.length)
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * windows.length) / count)
    const end = Math.max(start + 1, Math.floor(((index + 1) * windows.length) / count))
    const peak = windows.slice(start, end).reduce((most, each) => Math.max(most, each), 0)
    return Math.min(100, Math.round(100 * Math.sqrt(peak / fullScale)))
  })
}
