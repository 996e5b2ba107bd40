import { scrub } from '../scrub/scrub.ts'

/** Fills `%s`, `%d`, `%i`, `%f`, `%o`, `%O` and `%j` with the arguments, scrubbed. Never throws. */
export function formatMessage(template: string, args: readonly unknown[]): string {
  if (args.length === 0) return template
  let next = 0
  return template.replace(/%[sdifoOj%]/g, (placeholder) => {
    if (placeholder === '%%') return '%'
    if (next >= args.length) return placeholder
    const value = scrub(args[next++])
    if (typeof value === 'object' && value !== null) return JSON.stringify(value)
    return String(value)
  })
}
