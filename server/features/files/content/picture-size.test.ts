import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makePng } from '#server/testing/files-fixture.ts'
import { readPictureSize } from './picture-size.ts'

/** Pictures of 16 × 8 pixels, as encoders write them. */
const pictures: Record<string, readonly [mime: string, bytes: Buffer]> = {
  PNG: ['image/png', makePng(16, 8)],
  GIF: ['image/gif', Buffer.from('47494638396110000800', 'hex')],
  JPEG: [
    'image/jpeg',
    fromBase64(
      '/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgoKC8oLzc3Nzc3N0E8QUNDQ0FBQUFDQ0NISEhVVVVISEhDQ0hIUFBVVVxfXFdXVVdfX2RkZHh4c3OMjJGsrM//xABMAAEBAAAAAAAAAAAAAAAAAAAABgEBAQAAAAAAAAAAAAAAAAAABgcQAQAAAAAAAAAAAAAAAAAAAAARAQAAAAAAAAAAAAAAAAAAAAD/wAARCAAIABADASIAAhEAAxEA/9oADAMBAAIRAxEAPwCLAFF/f//Z',
    ),
  ],
  'WebP, lossy': [
    'image/webp',
    fromBase64('UklGRjwAAABXRUJQVlA4IDAAAADQAQCdASoQAAgAAgA0JaACdLoB+AADsAD+8Oj3/yC5YXXI1/8gP+QH/ID/+PIAAAA='),
  ],
  'WebP, lossless': ['image/webp', fromBase64('UklGRhwAAABXRUJQVlA4TA8AAAAvD8ABAAcQ9Y/+ByKi/wEA')],
  'WebP, transparent': [
    'image/webp',
    fromBase64(
      'UklGRmAAAABXRUJQVlA4WAoAAAAQAAAADwAABwAAQUxQSAoAAAABB9C/iAhERP8DVlA4IDAAAADQAQCdASoQAAgAAgA0JaACdLoB+AADsAD+8Oj3/yC5YXXI1/8gP+QH/ID/+PIAAAA=',
    ),
  ],
  AVIF: [
    'image/avif',
    fromBase64(
      'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAD5bWV0YQAAAAAAAAAvaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAFBpY3R1cmVIYW5kbGVyAAAAAA5waXRtAAAAAAABAAAAHmlsb2MAAAAARAAAAQABAAAAAQAAASEAAAAgAAAAKGlpbmYAAAAAAAEAAAAaaW5mZQIAAAAAAQAAYXYwMUNvbG9yAAAAAGppcHJwAAAAS2lwY28AAAAUaXNwZQAAAAAAAAAQAAAACAAAABBwaXhpAAAAAAMICAgAAAAMYXYxQ4EADAAAAAATY29scm5jbHgAAgACAAIAAAAAF2lwbWEAAAAAAAAAAQABBAECgwQAAAAobWRhdAoJAAAAAZfz/+YBMhMQAMAAAAKAAAAPWW3Btw3fPseq',
    ),
  ],
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64')
}

describe.each(Object.entries(pictures))('the size of a %s', (_, [mime, bytes]) => {
  it('is read from its first bytes', () => {
    expect(readPictureSize(mime, bytes)).toEqual({ width: 16, height: 8 })
  })

  it('is unknown, and nothing worse, when the file ends anywhere before it is whole or holds anything else', () => {
    for (let length = 0; length < bytes.length; length += 1) {
      const size = readPictureSize(mime, bytes.subarray(0, length))
      expect([undefined, { width: 16, height: 8 }]).toContainEqual(size)
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(20), (noise, from) => {
        const size = readPictureSize(mime, Buffer.concat([bytes.subarray(0, from), Buffer.from(noise)]))
        if (size) expect(Math.min(size.width, size.height)).toBeGreaterThan(0)
      }),
    )
  })
})

describe('the size of a hostile AVIF', () => {
  it('is unknown when it lists more items than a call takes arguments', () => {
    const count = 340_000
    const items = Buffer.alloc(8 + count * 3)
    items.writeUInt32BE(count, 4)
    const meta = box('meta', Buffer.concat([Buffer.alloc(4), box('iprp', box('ipma', items))]))
    const bytes = Buffer.concat([box('ftyp', Buffer.from('avif\0\0\0\0')), meta])
    expect(readPictureSize('image/avif', bytes)).toBeUndefined()
  })
})

/** A box of the ISO base media file format: its length, its type, what it holds. */
function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(head.length + content.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}
