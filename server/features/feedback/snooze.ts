import { invalid } from '#server/platform/http/invalid.ts'

/** @throws ProductError `validation_failed` for a time that is over. */
export function checkSnooze(until: string | null | undefined, path: string): void {
  if (typeof until === 'string' && Date.parse(until) <= Date.now()) throw invalid(path, 'must be in the future')
}
