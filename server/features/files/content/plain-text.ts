import { createReadStream } from 'node:fs'

const headLength = 1024
// What a browser would take for a page or a picture if it were ever to guess.
const markup =
  /^\s*<(!doctype|html|head|body|script|iframe|svg|\?xml|!--|[a-z]+:[a-z]+|style|title|img|a |p>|div|table)/i

/** Whether a file is UTF-8 text without control characters that no text holds, and no markup. */
export async function isPlainText(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let head = ''
  try {
    // Without an encoding, a stream gives bytes.
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      const text = decoder.decode(chunk, { stream: true })
      // Tab, line ends, form feed, and the escapes that colour a log.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that tell text from other bytes
      if (/[\u0000-\u0008\u000B\u000E-\u001A\u001C-\u001F]/.test(text)) return false
      if (head.length < headLength) head += text.slice(0, headLength)
    }
    decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
  return !markup.test(head)
}
