import type { Area, Screenshot } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { paintMasks } from './paint-masks.ts'

/** Chromium's API for a single frame, missing in TypeScript's library. */
interface FrameGrabber {
  new (track: MediaStreamTrack): { grabFrame(): Promise<ImageBitmap> }
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

async function readFrame(stream: MediaStream, track: MediaStreamTrack): Promise<ImageBitmap | HTMLVideoElement> {
  // Chromium only; TypeScript does not declare it.
  const { ImageCapture } = window as { ImageCapture?: FrameGrabber }
  if (ImageCapture) return new ImageCapture(track).grabFrame()
  const video = document.createElement('video')
  // Requested before playback starts: an unchanging page gives no second frame.
  const frame = new Promise((resolve) => video.requestVideoFrameCallback(resolve))
  video.muted = true
  video.srcObject = stream
  await video.play()
  await frame
  return video
}

/**
 * Takes the browser's own pixels of this page, after the browser has asked the visitor. The picture is cropped to this
 * page, whether the visitor shares the tab, the window or the screen. For the full page it gives the visible area, since
 * the browser has no other pixels.
 */
export async function grabPixels(stage: Stage, area: Area, mask: readonly string[]): Promise<Screenshot> {
  const options = { video: { displaySurface: 'browser', cursor: 'never' }, preferCurrentTab: true }
  const stream = await navigator.mediaDevices.getDisplayMedia(options)
  // The widget's own elements are HTML elements.
  const parts = [...stage.root.children] as HTMLElement[]
  // Not hidden, which would drop the visitor's focus.
  for (const { style } of parts) style.setProperty('opacity', '0', 'important')
  try {
    // A stream of `getDisplayMedia` has one video track.
    const [track] = stream.getVideoTracks() as [MediaStreamTrack]
    // The browser's own prompt has to fade first.
    await wait(250)
    const frame = await Promise.race([readFrame(stream, track), wait(5000)])
    if (!frame) throw new Error('no frame')
    const frameWidth = 'videoWidth' in frame ? frame.videoWidth : frame.width
    const surface = track.getSettings().displaySurface
    let left = 0
    let top = 0
    let width = innerWidth
    if (surface !== 'browser') {
      const isWindow = surface === 'window'
      const border = (outerWidth - innerWidth) / 2
      // Firefox only; TypeScript does not declare them.
      const { mozInnerScreenX, mozInnerScreenY } = window as { mozInnerScreenX?: number; mozInnerScreenY?: number }
      left = (mozInnerScreenX ?? screenX + border) - (isWindow ? screenX : 0)
      top = (mozInnerScreenY ?? screenY + outerHeight - innerHeight - border) - (isWindow ? screenY : 0)
      width = isWindow ? outerWidth : screen.width
    }
    const scale = frameWidth / width
    const box = typeof area === 'string' ? new DOMRect(0, 0, innerWidth, innerHeight) : area.getBoundingClientRect()
    const x = Math.max(box.left, 0)
    const y = Math.max(box.top, 0)
    const canvas = document.createElement('canvas')
    canvas.width = Math.round((Math.min(box.right, innerWidth) - x) * scale)
    canvas.height = Math.round((Math.min(box.bottom, innerHeight) - y) * scale)
    // A new canvas has a 2D context.
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    context.drawImage(frame, -(left + x) * scale, -(top + y) * scale)
    context.scale(scale, scale)
    context.translate(-x, -y)
    paintMasks(context, mask)
    return { canvas, missing: [] }
  } finally {
    for (const each of stream.getTracks()) each.stop()
    for (const { style } of parts) style.removeProperty('opacity')
  }
}
