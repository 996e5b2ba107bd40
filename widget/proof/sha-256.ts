/*
 * SHA-256 as FIPS 180-4 writes it, on 32-bit integers. Its constants are the first bits of the fractional parts of
 * roots of the first primes, computed here.
 */

const fraction = (value: number) => ((value % 1) * 2 ** 32) | 0
const primes: number[] = []
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n)
const initial = Int32Array.from(primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))))
const constants = Int32Array.from(primes.map((prime) => fraction(Math.cbrt(prime))))
const schedule = new Int32Array(64)

const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits))
// Indexes stay below the length.
const at = (list: Int32Array, index: number) => list[index] as number

/** The eight words of the digest. */
export function sha256(message: Uint8Array): Int32Array {
  const padded = new DataView(new ArrayBuffer(((message.length + 72) >> 6) << 6))
  new Uint8Array(padded.buffer).set(message)
  padded.setUint8(message.length, 128)
  padded.setUint32(padded.byteLength - 4, message.length * 8)
  const digest = Int32Array.from(initial)
  for (let block = 0; block < padded.byteLength; block += 64) {
    // SHA-256 has eight words.
    let [a, b, c, d, e, f, g, h] = digest as unknown as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < 64; i++) {
      if (i < 16) schedule[i] = padded.getInt32(block + i * 4)
      else {
        const early = at(schedule, i - 15)
        const late = at(schedule, i - 2)
        const low = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
        const high = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
        schedule[i] = (at(schedule, i - 16) + low + at(schedule, i - 7) + high) | 0
      }
      const choice = (e & f) ^ (~e & g)
      const one = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + at(constants, i) + at(schedule, i)
      const majority = (a & b) ^ (a & c) ^ (b & c)
      const two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority
      h = g
      g = f
      f = e
      e = (d + one) | 0
      d = c
      c = b
      b = a
      a = (one + two) | 0
    }
    const words = Int32Array.of(a, b, c, d, e, f, g, h)
    // The typed array keeps the sums to 32 bits.
    for (let i = 0; i < 8; i++) digest[i] = at(digest, i) + at(words, i)
  }
  return digest
}

/** How many bits are zero before the first that is not. */
export function countZeroBits(digest: Iterable<number>): number {
  let bits = 0
  for (const word of digest) {
    bits += Math.clz32(word)
    if (word) break
  }
  return bits
}
