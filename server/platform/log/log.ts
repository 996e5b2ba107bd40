import type { FastifyBaseLogger } from 'fastify'
import { type DestinationStream, type LoggerOptions, pino } from 'pino'
import { scrub } from '../scrub/scrub.ts'
import { scrubText } from '../scrub/scrub-text.ts'
import { formatForPeople } from './format-for-people.ts'
import { formatMessage } from './format-message.ts'
import { narrowFields } from './narrow-fields.ts'
import { scrubLine } from './scrub-line.ts'
import { createWaitingLines, keepWaitingLines } from './waiting-lines.ts'

/** Writes log lines: `log.info({projectId}, 'project made')`. Errors go under `err`. Fastify takes it as its logger. */
export type Log = FastifyBaseLogger

type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

export interface LogOptions {
  readonly level: LogLevel
  /** Short lines for a person at a terminal instead of JSON. */
  readonly pretty?: boolean
  /** Where lines go. Default: standard output. */
  readonly destination?: { write(line: string): void }
}

/**
 * A log with one line per entry, without secrets or personal data: fields, bindings, errors and messages are scrubbed
 * on input, and the finished line again before it is written.
 */
export function createLog({ level, pretty = false, destination }: LogOptions): Log {
  const target: DestinationStream = destination ?? pino.destination({ dest: 1, sync: true })
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    messageKey: 'msg',
    errorKey: 'err',
    // The fields arrive scrubbed, errors as plain objects; pino's own serializer expects Error instances.
    serializers: { err: (err: unknown) => err },
    formatters: {
      level: (label) => ({ level: label }),
      // `scrub` keeps objects objects.
      bindings: (bindings) => scrub(bindings) as Record<string, unknown>,
      // `scrub` keeps objects objects.
      log: (fields) => scrubFields(fields) as Record<string, unknown>,
    },
    hooks: {
      logMethod(args, method) {
        // Loggers are called with at least one argument.
        const [first, ...rest] = args as [unknown, ...unknown[]]
        if (typeof first === 'string') {
          method.call(this, scrubText(formatMessage(first, rest)))
        } else if (first instanceof Error) {
          const message = typeof rest[0] === 'string' ? formatMessage(rest[0], rest.slice(1)) : readMessage(first)
          method.call(this, { err: first }, scrubText(message))
        } else if (typeof rest[0] === 'string') {
          // Before a message there are fields.
          method.call(this, first as object, scrubText(formatMessage(rest[0], rest.slice(1))))
          // `typeof` counts null as an object, and pino accepts it.
        } else method.call(this, (typeof first === 'object' ? first : { value: first }) as object)
      },
      streamWrite: scrubLine,
    },
  }
  const waiting = createWaitingLines()
  const log = pino(options, {
    write: (line) => {
      waiting.add(line)
      target.write(pretty ? formatForPeople(line) : line)
    },
  })
  keepWaitingLines(log, waiting)
  return log
}

// Hostile objects (a proxy that throws) must not make logging fail.
function scrubFields(fields: object): unknown {
  try {
    return scrub(narrowFields(fields))
  } catch {
    return { fields: '[unreadable]' }
  }
}

function readMessage(error: Error): string {
  try {
    return String(error.message)
  } catch {
    return 'unreadable error'
  }
}
