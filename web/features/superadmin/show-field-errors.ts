import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { ApiError } from '#web/lib/api.ts'

/**
 * Shows what the server refused at the fields that it names, and anything else below the form.
 *
 * @param fields fields of the form by those of the body
 */
export function showFieldErrors<Draft extends FieldValues>(
  error: Error,
  setError: UseFormSetError<Draft>,
  fields: Readonly<Record<string, Path<Draft>>>,
): void {
  const named = Object.entries(fields).flatMap(([name, path]) => {
    const message = error instanceof ApiError ? error.findFieldMessage(name) : undefined
    return message === undefined ? [] : [{ path, message }]
  })
  for (const { path, message } of named) setError(path, { message: `This value ${message}.` })
  if (named.length === 0) setError('root', { message: error.message })
}
