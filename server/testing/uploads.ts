import { randomUUID } from 'node:crypto'
import type { AttachmentKind } from '#contract/files.ts'
import type { TestServer } from './server.ts'

/** A file as a visitor's browser sends it. */
export interface SentFile {
  readonly kind: AttachmentKind
  readonly bytes: Uint8Array
  readonly name?: string
  readonly mime?: string
}

const encode = (value: string) => Buffer.from(value).toString('base64')

/**
 * Sends a file to a project by tus, creation and all of it in one request, and returns its id.
 *
 * @throws Error when the server refuses it.
 */
export async function sendFile(
  server: Pick<TestServer, 'url'>,
  widgetKey: string,
  { kind, bytes, name, mime }: SentFile,
): Promise<string> {
  const id = randomUUID()
  const metadata = { id, kind, ...(name !== undefined && { name }), ...(mime !== undefined && { mime }) }
  const reply = await fetch(`${server.url}/e/${widgetKey}/uploads`, {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-length': String(bytes.length),
      'upload-metadata': Object.entries(metadata)
        .map(([key, value]) => `${key} ${encode(value)}`)
        .join(','),
    },
    body: Uint8Array.from(bytes),
  })
  if (reply.status !== 201) throw new Error(`the upload was refused: ${reply.status} ${await reply.text()}`)
  return id
}
