import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, type FilesFixture, makePng, openFilesFixture } from '#server/testing/files-fixture.ts'
import type { SentFile } from '#server/testing/uploads.ts'

/* What visitors send is judged by its content: the whole way, from the upload to what the team gets. */
let fixture: FilesFixture
beforeAll(async () => {
  fixture = await openFilesFixture()
})
afterAll(() => fixture.stop())

const html = '<!doctype html><script>alert(document.domain)</script>'
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const events = [
  { type: 4, timestamp: 1000, data: {} },
  { type: 2, timestamp: 61_000, data: {} },
]

describe('a file whose content does not match its type', () => {
  it.each<[string, () => SentFile]>([
    ['a page as a picture', () => ({ kind: 'screenshot', bytes: Buffer.from(html), mime: 'image/png', name: 'x.png' })],
    ['a drawing with a script', () => ({ kind: 'screenshot', bytes: Buffer.from(svg), mime: 'image/svg+xml' })],
    ['a drawing as a file', () => ({ kind: 'file', bytes: Buffer.from(`<?xml version="1.0"?>${svg}`), name: 'x.txt' })],
    ['a page as text', () => ({ kind: 'file', bytes: Buffer.from(`\n \t${html}`), mime: 'text/plain' })],
    [
      'a page behind a picture’s first bytes',
      () => ({ kind: 'screenshot', bytes: Buffer.concat([makePng().subarray(0, 8), Buffer.from(html)]) }),
    ],
    ['a picture larger than a browser can hold', () => ({ kind: 'screenshot', bytes: claimSize(60_000, 60_000) })],
    ['a picture without size', () => ({ kind: 'screenshot', bytes: claimSize(0, 0) })],
    ['a picture as a voice', () => ({ kind: 'voice', bytes: makePng(), mime: 'audio/webm' })],
    ['a voice that is a page', () => ({ kind: 'voice', bytes: Buffer.from(html), mime: 'audio/webm' })],
    ['a program', () => ({ kind: 'file', bytes: Buffer.from('\x7fELF\x02\x01\x01\x00more'), name: 'x.pdf' })],
    ['a playlist that names other files', () => ({ kind: 'screen', bytes: Buffer.from(playlist), mime: 'video/mp4' })],
    ['nothing at all', () => ({ kind: 'file', bytes: Buffer.alloc(0) })],
    ['text with bytes that no text has', () => ({ kind: 'file', bytes: Buffer.from('a\u0000b'), name: 'x.txt' })],
    ['a replay that is a picture', () => ({ kind: 'replay', bytes: makePng() })],
    ['a replay that is no list', () => ({ kind: 'replay', bytes: Buffer.from('{"type": 4, "timestamp": 1}') })],
    ['a replay of other things', () => ({ kind: 'replay', bytes: gzipSync('["<script>"]') })],
    [
      'a replay that ends too soon',
      () => ({ kind: 'replay', bytes: gzipSync(JSON.stringify(events)).subarray(0, 40) }),
    ],
    ['a replay nested to harm its reader', () => ({ kind: 'replay', bytes: gzipSync('['.repeat(5_000_000)) })],
    ['a replay of ten million things', () => ({ kind: 'replay', bytes: gzipSync(`[${'{},'.repeat(10_000_000)}{}]`) })],
    [
      'a replay that unpacks to fifty times its size',
      () => ({ kind: 'replay', bytes: gzipSync(Buffer.alloc(256 * 1024 ** 2, 0x20)) }),
    ],
  ])('%s is refused with a reason, and its bytes are gone', async (_, file) => {
    const refused = await fixture.attach(file())
    expect(refused).toMatchObject({ state: 'refused', url: null, playbackUrl: null, posterUrl: null })
    expect(refused.note).toMatch(/^Refused: .+\.$/)
    await eventually(() => fixture.listStored(refused.id)).toEqual([])
    expect(fixture.server.logLines.filter((line) => /"level":(50|60)/.test(line))).toEqual([])
  })
})

const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'

/** A picture whose header says another size than it has. */
function claimSize(width: number, height: number): Buffer {
  const bytes = makePng()
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

/** A ZIP of one file, made by hand. */
function makeZip(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content)
  const header = (signature: number, more: Buffer, offset?: number) => {
    const fixed = Buffer.alloc(offset === undefined ? 30 : 46)
    fixed.writeUInt32LE(signature, 0)
    const at = offset === undefined ? 4 : 6
    fixed.writeUInt16LE(20, at)
    fixed.writeUInt16LE(8, at + 4)
    fixed.writeUInt32LE(packed.length, at + 14)
    fixed.writeUInt32LE(content.length, at + 18)
    fixed.writeUInt16LE(name.length, at + 22)
    return Buffer.concat([fixed, Buffer.from(name), more])
  }
  const local = header(0x04034b50, packed)
  const central = header(0x02014b50, Buffer.alloc(0), 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}

describe('allowed attachments', () => {
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
  it.each<[string, () => SentFile, string, string]>([
    ['a GIF', () => ({ kind: 'file', bytes: gif, name: 'a.gif' }), 'image/gif', 'inline; filename="a.gif"'],
    [
      'a picture with a page behind it',
      () => ({ kind: 'screenshot', bytes: Buffer.concat([makePng(), Buffer.from(html)]), name: 'x.html' }),
      'image/png',
      'inline; filename="x.html.png"',
    ],
    [
      'a PDF',
      () => ({
        kind: 'file',
        bytes: Buffer.from('%PDF-1.7\n%%EOF'),
        name: '../../etc/x"y\r\nz.pdf',
        mime: 'text/html',
      }),
      'application/pdf',
      'attachment; filename="_.._etc_x_y  z.pdf"',
    ],
    [
      'a log in many languages',
      () => ({ kind: 'file', bytes: Buffer.from('\u001b[31mfehler\u001b[0m\nエラー\n'), name: 'エラー.log' }),
      'text/plain; charset=utf-8',
      'attachment; filename="___.log"',
    ],
    [
      'a table',
      () => ({ kind: 'file', bytes: Buffer.from('a;b\n1;2\n'), name: 'Zahlen.CSV' }),
      'text/csv; charset=utf-8',
      'attachment; filename="Zahlen.CSV"',
    ],
    [
      'a ZIP',
      () => ({ kind: 'file', bytes: makeZip('a.txt', Buffer.from('a')) }),
      'application/zip',
      'attachment; filename="file.zip"',
    ],
    [
      'a replay',
      () => ({ kind: 'replay', bytes: Buffer.from(JSON.stringify(events)) }),
      'application/json; charset=utf-8',
      'attachment; filename="replay.json"',
    ],
  ])('%s comes back as what it is, under a name that is safe', async (_, file, type, disposition) => {
    const sent = file()
    const attachment = await fixture.attach(sent)
    expect(attachment).toMatchObject({ state: 'ready', note: null })
    const reply = await fetch(fixture.server.url + attachment.url)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe(type)
    expect(reply.headers.get('content-disposition')?.split(';').slice(0, 2).join(';')).toBe(disposition)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(reply.headers.get('cache-control')).toContain('private')
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    expect(Buffer.from(await reply.arrayBuffer()).equals(Buffer.from(sent.bytes))).toBe(true)
  })

  it('unpacks a replay for the browser that plays it', async () => {
    const attachment = await fixture.attach({ kind: 'replay', bytes: gzipSync(JSON.stringify(events)) })
    expect(attachment).toMatchObject({ state: 'ready', durationMs: 60_000 })
    const reply = await fetch(fixture.server.url + attachment.url)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await reply.json()).toEqual(events)
  })
})
