export type MediaKind = 'voice' | 'screen'

/**
 * Recording formats, best first. WebM comes before MP4 because it arrives in pieces while recording: browsers hold most
 * of an MP4 back until the end.
 */
const formats: Readonly<Record<MediaKind, readonly string[]>> = {
  voice: ['audio/webm;codecs=opus', 'audio/mp4'],
  screen: ['video/webm;codecs=vp9,opus', 'video/webm;codecs=vp8,opus', 'video/mp4'],
}

/**
 * The best format that this browser records; undefined: none.
 * @param sound whether a screen recording has sound; a codec without a track is refused by some browsers
 */
export function findFormat(kind: MediaKind, sound: boolean): string | undefined {
  return formats[kind]
    .map((mime) => (sound ? mime : mime.replace(',opus', '')))
    .find((mime) => MediaRecorder.isTypeSupported(mime))
}
