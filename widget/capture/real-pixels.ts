import type { Area, Screenshot } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { paintMasks } from './paint-masks.ts'

/** Chromium's own way to a single picture; TypeScript does not know it. */
interface FrameGrabber {
  new (track: MediaStreamTrack): { grabFrame(): Promise<ImageBitmap> }
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

async function readFrame(stream: MediaStream, track: MediaStreamTrack): Promise<ImageBitmap | HTMLVideoElement> {
  const { ImageCapture } = window as { ImageCapture?: FrameGrabber }
  if (ImageCapture) return new ImageCapture(track).grabFrame()
  const video = document.createElement('video')
  // Asked for before it plays: a page that stands still gives no second frame.
  const frame = new Promise((resolve) => video.requestVideoFrameCallback(resolve))
  video.muted = true
  video.srcObject = stream
  await video.play()
  await frame
  return video
}

/**
 * Takes the browser's own pixels of this page, after the browser has asked the visitor. Whatever they share (tab,
 * window, screen), the picture is this page's part of it. The full page is more than there are pixels of: it gives what
 * is in sight.
 */
export async function grabPixels(stage: Stage, area: Area, mask: readonly string[]): Promise<Screenshot> {
  const options = { video: { displaySurface: 'browser', cursor: 'never' }, preferCurrentTab: true }
  const stream = await navigator.mediaDevices.getDisplayMedia(options as DisplayMediaStreamOptions)
  const parts = [...stage.root.children] as HTMLElement[]
  // Not hidden, which would take the focus from where the visitor is.
  for (const { style } of parts) style.setProperty('opacity', '0', 'important')
  try {
    const [track] = stream.getVideoTracks() as [MediaStreamTrack]
    // The browser's own question has to fade too.
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
