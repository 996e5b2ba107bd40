import { afterEach, describe, expect, it, vi } from 'vitest'
import { findFormat } from './formats.ts'

/** A browser that records some formats. */
const stubBrowser = (isTypeSupported: (mime: string) => boolean) => vi.stubGlobal('MediaRecorder', { isTypeSupported })

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('findFormat', () => {
  it('prefers WebM with VP9, and names an audio codec only with sound', () => {
    stubBrowser(() => true)
    expect(findFormat('screen', true)).toBe('video/webm;codecs=vp9,opus')
    expect(findFormat('screen', false)).toBe('video/webm;codecs=vp9')
    expect(findFormat('voice', true)).toBe('audio/webm;codecs=opus')
  })

  it('falls back to VP8 (Firefox)', () => {
    stubBrowser((mime) => !mime.includes('vp9'))
    expect(findFormat('screen', true)).toBe('video/webm;codecs=vp8,opus')
  })

  it('falls back to MP4 (older Safari)', () => {
    stubBrowser((mime) => mime.includes('mp4'))
    expect(findFormat('screen', true)).toBe('video/mp4')
    expect(findFormat('voice', true)).toBe('audio/mp4')
  })

  it('finds none where nothing is supported', () => {
    stubBrowser(() => false)
    expect(findFormat('voice', true)).toBeUndefined()
  })
})
