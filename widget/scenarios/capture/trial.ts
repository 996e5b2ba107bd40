import { capture, captureRealPixels, pickElement } from '#widget/capture/capture.ts'
import type { Area, Screenshot } from '#widget/loader/modules.ts'
import type { Stage } from '#widget/loader/stage.ts'

/** What tests and benchmarks call in the page: the stage of captures with as much of a loader as it needs. */
export interface Trial {
  readonly host: HTMLElement
  /** Resolves when the page is as it shall be drawn. */
  settle(): Promise<void>
  capture(area?: Area, mask?: string[]): Promise<{ url: string; missing: readonly string[] }>
  captureRealPixels(area?: Area, mask?: string[]): Promise<{ url: string; missing: readonly string[] }>
  pick(): Promise<string | undefined>
  /** Milliseconds until the canvas is there, and the longest task meanwhile. */
  measure(draw: () => Promise<unknown>): Promise<{ ms: number; longestMs: number }>
  draw(): Promise<Screenshot>
}

const host = document.createElement('div')
const root = host.attachShadow({ mode: 'open' })
host.style.cssText =
  'position:fixed!important;inset:auto 0 0 auto;width:0;height:0;margin:0;padding:0;border:0;overflow:visible'
const button = document.createElement('button')
button.textContent = 'Never in a picture'
button.style.cssText = 'position:fixed;right:20px;bottom:20px;visibility:hidden'
root.append(button)
const stage = { host, root, onKey: undefined, addStyles() {} } as unknown as Stage
// Like the loader: keys within the host element reach no other listener.
window.addEventListener(
  'keydown',
  (event) => {
    if (event.target !== host) return
    event.stopImmediatePropagation()
    stage.onKey?.(event)
  },
  true,
)
document.documentElement.append(host)

const toUrl = ({ canvas, missing }: Screenshot) => ({ url: canvas.toDataURL(), missing })

const trial: Trial = {
  host,
  async settle() {
    if (document.readyState !== 'complete') await new Promise((resolve) => window.addEventListener('load', resolve))
    await document.fonts.ready
    await (window as { ready?: Promise<unknown> }).ready
    // Frames and backgrounds of browsers that paint later than they say that they have loaded.
    await new Promise((resolve) => setTimeout(resolve, 'chrome' in window ? 0 : 300))
    await Promise.all([...document.images].map((image) => image.loading === 'lazy' || image.decode().catch(() => {})))
  },
  capture: async (area = 'viewport', mask = []) => toUrl(await capture(stage, area, mask)),
  captureRealPixels: async (area = 'viewport', mask = []) => toUrl(await captureRealPixels(stage, area, mask)),
  draw: () => capture(stage, 'viewport', []),
  async pick() {
    const element = await pickElement(stage, 'Point at what you mean')
    return element && (element.id || element.localName)
  },
  async measure(draw) {
    let longestMs = 0
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longestMs = Math.max(longestMs, duration)
    })
    observer.observe({ type: 'longtask' })
    const startedAt = performance.now()
    await draw()
    const ms = performance.now() - startedAt
    await new Promise((resolve) => setTimeout(resolve, 300))
    observer.disconnect()
    return { ms, longestMs }
  },
}

Object.assign(window, { trial })
