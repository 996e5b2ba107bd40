import { type Import, uploadImportFile } from '#contract/imports.ts'
import { ApiError, buildUrl } from '#web/lib/api.ts'
import { findAccessToken } from '#web/lib/auth-client.ts'

/** Sends the file of an import. @throws ApiError when the server refuses it; its message is for people. */
export async function uploadFile(params: { organizationId: string; importId: string }, file: File): Promise<Import> {
  const token = await findAccessToken()
  const reply = await fetch(buildUrl(uploadImportFile.path, params), {
    method: uploadImportFile.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    credentials: 'omit',
    body: file,
  })
  // The contract's answer to an upload.
  if (reply.ok) return (await reply.json()) as Import
  const problem = await reply.json().catch(() => undefined)
  throw new ApiError(
    problem ?? {
      code: 'unexpected_answer',
      title: 'Couldn’t upload the file. Try again.',
      status: reply.status,
      requestId: '',
    },
  )
}
