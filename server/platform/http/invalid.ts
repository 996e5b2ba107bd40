import { ProductError } from './product-error.ts'

/** One field's refusal. `path` is the field as the caller sent it, e.g. `body.tags.0`. */
export function invalid(path: string, message: string): ProductError {
  return new ProductError('validation_failed', { fields: [{ path, message }] })
}
