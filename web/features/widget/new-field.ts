import type { CustomField } from '#contract/widget-settings.ts'

/** A new question whose id none of the others has: answers of removed questions keep their meaning. */
export function createField(others: readonly CustomField[]): CustomField {
  const taken = new Set(others.map(({ id }) => id))
  let id: string
  do id = `q_${Math.random().toString(36).slice(2, 8)}`
  while (taken.has(id))
  return { id, kind: 'text', label: 'Your question', required: false }
}
