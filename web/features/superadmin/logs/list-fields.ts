import { showControls } from './show-controls.ts'

const deepest = 3
const mostFields = 200

/** Fields of a line by their path, as texts: those of nested objects one by one. */
export function listFields(fields: Readonly<Record<string, unknown>>): [name: string, text: string][] {
  const listed: [string, string][] = []
  const add = (path: string, value: unknown, depth: number) => {
    if (listed.length >= mostFields) return
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < deepest) {
      for (const [name, field] of Object.entries(value)) add(path === '' ? name : `${path}.${name}`, field, depth + 1)
    } else
      listed.push([
        showControls(path),
        showControls(typeof value === 'string' ? value : JSON.stringify(value, null, 2)),
      ])
  }
  add('', fields, 0)
  return listed
}
