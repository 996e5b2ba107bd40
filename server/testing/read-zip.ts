import { inflateRawSync } from 'node:zlib'

/** The entries of a ZIP, by name, in order, read from its central directory (APPNOTE.TXT 4.3.12). */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const entries = new Map<string, Buffer>()
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  for (let at = zip.readUInt32LE(end + 16), left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const start = zip.readUInt32LE(at + 42)
    const data = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
    const packed = zip.subarray(data, data + zip.readUInt32LE(at + 20))
    const name = zip.subarray(at + 46, at + 46 + nameLength).toString()
    entries.set(name, zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed)
    at += 46 + nameLength + extraLength + commentLength
  }
  return entries
}
