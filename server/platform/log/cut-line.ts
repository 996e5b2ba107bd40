/** Longer lines are cut before they wait to be stored: the log keeps what happened, not documents. */
const longestLine = 32_000
const longestMessage = 8_000
const shownFields = 16_000

/** The line, or a shorter one that says how long it was. Standard output gets lines whole. */
export function cutLine(line: string): string {
  if (line.length <= longestLine) return line
  try {
    // Each line of the log is a JSON object.
    const { level, time, msg, requestId, reqId, ...fields } = JSON.parse(line) as Record<string, unknown>
    const message = String(msg ?? '')
    const rest = JSON.stringify(fields)
    return `${JSON.stringify({
      level,
      time,
      ...(requestId !== undefined && { requestId: String(requestId).slice(0, 200) }),
      ...(reqId !== undefined && { reqId: String(reqId).slice(0, 200) }),
      cut: `The line had ${line.length} characters.`,
      ...(rest.length <= shownFields ? fields : { start: rest.slice(0, shownFields).toWellFormed() }),
      msg: message.length <= longestMessage ? message : `${message.slice(0, longestMessage).toWellFormed()} …`,
    })}\n`
  } catch {
    return `${JSON.stringify({ level: 'info', time: new Date().toISOString(), msg: 'a line that is not JSON was left out' })}\n`
  }
}
