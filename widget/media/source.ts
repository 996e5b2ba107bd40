import type { MediaKind } from './formats.ts'

/** Sound and picture of one recording. */
export interface Source {
  readonly stream: MediaStream
  /** The track that ends the recording with it: the picture of a screen recording, the voice of a voice note. */
  readonly main: MediaStreamTrack
  readonly microphone: boolean
  /** Loudness from 0 to 1. */
  readLevel(): number
}

/** Options missing in TypeScript's library. */
interface ScreenOptions extends DisplayMediaStreamOptions {
  preferCurrentTab: boolean
  selfBrowserSurface: 'include'
}

const screenOptions: ScreenOptions = {
  // Text stays readable at 1 Mb/s up to this size.
  video: { frameRate: { max: 15 }, width: { max: 1920 }, height: { max: 1200 } },
  audio: true,
  preferCurrentTab: true,
  selfBrowserSurface: 'include',
}

/**
 * Asks the visitor for the source. Rejects with the browser's own error; a microphone refused beside a granted screen is
 * only missing.
 * @param released ends every track opened here, also those granted after it; then rejects with AbortError
 */
export async function openSource(kind: MediaKind, microphone: boolean, released: AbortSignal): Promise<Source> {
  const devices = navigator.mediaDevices
  const open = async (asked: Promise<MediaStream>) => {
    const tracks = (await asked).getTracks()
    const release = () => {
      for (const track of tracks) track.stop()
    }
    released.addEventListener('abort', release)
    if (released.aborted) release()
    return tracks
  }
  const openMicrophone = () => open(devices.getUserMedia({ audio: { channelCount: 1, echoCancellation: true } }))

  // The screen first: browsers allow the request only right after a click.
  const isVoice = kind === 'voice'
  const first = await (isVoice ? openMicrophone() : open(devices.getDisplayMedia(screenOptions)))
  const second = !isVoice && microphone ? await openMicrophone().catch(() => []) : []
  const main = first.find((track) => isVoice || track.kind === 'video')
  // The visitor may have left, or stopped sharing, before the last question was answered.
  if (main?.readyState !== 'live') throw new DOMException('', 'AbortError')

  let sounds = [...first, ...second].filter((track) => track.kind === 'audio')
  let readLevel = () => 0
  if (sounds[0]) {
    const audio = new AudioContext()
    released.addEventListener('abort', () => audio.close())
    // Some browsers start it only on demand, although a microphone is open.
    audio.resume()
    const analyser = audio.createAnalyser()
    // A third of a second, longer than the interval between two readings.
    analyser.fftSize = 16_384
    const samples = new Float32Array(16_384)
    for (const track of sounds) audio.createMediaStreamSource(new MediaStream([track])).connect(analyser)
    readLevel = () => {
      analyser.getFloatTimeDomainData(samples)
      // The root of the peak: closer to perceived loudness.
      return Math.min(1, Math.sqrt(Math.max(0, ...samples)))
    }
    if (sounds[1]) {
      // Recorders accept one audio track.
      const mix = audio.createMediaStreamDestination()
      analyser.connect(mix)
      sounds = mix.stream.getTracks()
    }
  }
  return { stream: new MediaStream([main, ...sounds]), main, microphone: isVoice || !!second[0], readLevel }
}
