// Characters that could move the cursor, change colours or forge another line.
const control = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** Turns a JSON line into a short one for a terminal: `12:03:44 warn  the message  project=… err=…`. */
export function formatForPeople(line: string): string {
  let entry: Record<string, unknown>
  try {
    // Each line of the log is a JSON object.
    entry = JSON.parse(line) as Record<string, unknown>
  } catch {
    return line
  }
  const { level, time, msg, err, ...fields } = entry
  const parts = [String(time).slice(11, 19), String(level).padEnd(5), String(msg ?? '')]
  for (const [name, value] of Object.entries(fields)) parts.push(`${name}=${show(value)}`)
  const head = parts.join(' ').replace(control, ' ').trimEnd()
  return `${head}${err === undefined ? '' : showError(err)}\n`
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

// Only a stack gets several lines; each is indented, so that none looks like an entry.
function showError(err: unknown): string {
  // Both fields are unknown, and checked below.
  const { stack, message } = (typeof err === 'object' && err !== null ? err : { message: err }) as {
    stack?: unknown
    message?: unknown
  }
  const lines = String(stack ?? message ?? show(err)).split(/\r?\n/)
  return lines.map((text) => `\n    ${text.trim().replace(control, ' ')}`).join('')
}
