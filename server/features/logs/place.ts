import { invalid } from '#server/platform/http/invalid.ts'

/** A place in the stored log: lines are in the order of parts, and within a part in that of their ids. */
export interface Place {
  /** When the part begins. */
  readonly part: Date
  readonly id: number
}

/** `2026112618-123`: the hour in which the part begins, and the id. */
export function writePlace({ part, id }: Place): string {
  return `${part.toISOString().slice(0, 13).replaceAll(/[-T]/g, '')}-${id}`
}

/** @throws ProductError `validation_failed` that names the field. */
export function readPlace(text: string, field: string): Place {
  const [, year, month, day, hour, id] = /^(\d{4})(\d\d)(\d\d)(\d\d)-(\d{1,15})$/.exec(text) ?? []
  const part = new Date(`${year}-${month}-${day}T${hour}:00:00Z`)
  if (id === undefined || Number.isNaN(part.getTime()))
    throw invalid(field, 'must be a place that an earlier answer named')
  return { part, id: Number(id) }
}
