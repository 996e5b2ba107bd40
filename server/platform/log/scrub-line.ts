import { scrub } from '../scrub/scrub.ts'
import { scrubText } from '../scrub/scrub-text.ts'

// JSON escapes the controls below 32 only; terminals obey those from 127 on too, and some readers break lines at 2028.
const unescaped = /[\u007f-\u009f\u2028\u2029]/g

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * Scrubs a finished line of JSON. Its parts were scrubbed before, so a change is rare; if one breaks the JSON (a bare
 * number, an escape), the line is parsed and scrubbed value by value. Always returns one line of JSON.
 */
export function scrubLine(written: string): string {
  const line = written.replace(unescaped, escapeCharacter)
  const scrubbed = scrubText(line)
  if (scrubbed === line) return line
  const oneLine = `${scrubbed.trimEnd()}\n`
  if (isJson(oneLine)) return oneLine
  try {
    return `${JSON.stringify(scrub(JSON.parse(line)))}\n`
  } catch {
    return `${JSON.stringify({ level: 'error', time: new Date().toISOString(), msg: 'log entry could not be written' })}\n`
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
