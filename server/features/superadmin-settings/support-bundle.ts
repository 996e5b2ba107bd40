import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { ZipFile } from 'yazl'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { scrub } from '#server/platform/scrub/scrub.ts'
import { scrubText } from '#server/platform/scrub/scrub-text.ts'

/** A file of the bundle. Text is written as it is, anything else as JSON; both are scrubbed first. */
export interface BundlePart {
  readonly fileName: string
  read(): Promise<unknown>
}

/** A part that takes longer is left out, so that a broken database does not keep the bundle from being made. */
const partTimeoutMs = 5_000

/** A ZIP of the parts. A part that fails is a file with the reason. */
export async function makeSupportBundle(parts: readonly BundlePart[]): Promise<Buffer> {
  const archive = new ZipFile()
  const files = await Promise.all(parts.map(async (part) => [part.fileName, await renderPart(part)] as const))
  for (const [fileName, text] of files) archive.addBuffer(Buffer.from(text), fileName)
  archive.end()
  return buffer(archive.outputStream)
}

async function renderPart(part: BundlePart): Promise<string> {
  const clock = new AbortController()
  try {
    const content = await Promise.race([
      part.read(),
      pause(partTimeoutMs, undefined, { signal: clock.signal }).then(() => {
        throw new Error(`took longer than ${partTimeoutMs / 1000} s`)
      }),
    ])
    // `scrub` looks at names of fields, `scrubText` at what the finished text says.
    return scrubText(typeof content === 'string' ? content : JSON.stringify(scrub(content), null, 2))
  } catch (error) {
    return scrubText(JSON.stringify({ error: readErrorMessage(error) }))
  } finally {
    clock.abort()
  }
}
