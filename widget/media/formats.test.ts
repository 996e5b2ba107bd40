import { describe, expect, it } from 'vitest'
import { findFormat } from './formats.ts'

describe('findFormat', () => {
  it('prefers WebM with VP9, and names the sound only where there is some', () => {
    expect(findFormat('screen', true, () => true)).toBe('video/webm;codecs=vp9,opus')
    expect(findFormat('screen', false, () => true)).toBe('video/webm;codecs=vp9')
    expect(findFormat('voice', true, () => true)).toBe('audio/webm;codecs=opus')
  })

  it('falls back to VP8 (Firefox), then MP4 (older Safari)', () => {
    expect(findFormat('screen', true, (mime) => !mime.includes('vp9'))).toBe('video/webm;codecs=vp8,opus')
    expect(findFormat('screen', true, (mime) => mime.includes('mp4'))).toBe('video/mp4')
    expect(findFormat('voice', true, (mime) => mime.includes('mp4'))).toBe('audio/mp4')
  })

  it('finds none where nothing is supported', () => {
    expect(findFormat('voice', true, () => false)).toBeUndefined()
  })
})
