/*
 * The senders of the ingest benchmark, in their own process so that they don't use the server's event loop. They speak
 * just enough HTTP/1.1 to keep connections open and count responses: a full client would use the CPU time that is
 * measured. Run by ingest.ts with its task as JSON; prints a {@link SendResult}.
 */
import { connect } from 'node:net'
import { v7 as uuidV7 } from 'uuid'
import { makeSubmission, messageEnd, variants } from './harness/submissions.ts'

export interface SendTask {
  readonly host: string
  readonly port: number
  readonly widgetKey: string
  readonly origin: string
  readonly connections: number
  /** Warm-up time, whose responses are not counted. */
  readonly warmUpMs: number
  readonly measureMs: number
}

export interface SendResult {
  readonly accepted: number
  readonly other: Readonly<Record<string, number>>
  readonly seconds: number
  /** Latencies of accepted submissions, in milliseconds. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time of this process during the measurement, in seconds. */
  readonly cpuSeconds: number
}

const task = JSON.parse(process.argv[2] ?? '') as SendTask
const requests = Array.from({ length: variants }, (_, variant) => makeRequest(variant))
const durations: number[] = []
const other: Record<string, number> = {}
let accepted = 0
let isMeasuring = false
let isOver = false
let sent = 0

/** A request whose id and last characters are overwritten for each sending. */
function makeRequest(variant: number): { bytes: Buffer; idAt: number; endAt: number } {
  const id = uuidV7()
  const body = JSON.stringify({ id, ...makeSubmission(variant) })
  const head =
    `POST /e/${task.widgetKey}/submissions HTTP/1.1\r\nhost: ${task.host}:${task.port}\r\norigin: ${task.origin}\r\n` +
    `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
  const bytes = Buffer.from(head + body)
  return { bytes, idAt: bytes.indexOf(id), endAt: bytes.indexOf(messageEnd) }
}

/** A different end for each message. */
function writeEnd(count: number): string {
  return count.toString(2).padStart(messageEnd.length, '0').replaceAll('0', '.').replaceAll('1', '!')
}

function openConnection(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(task.port, task.host)
    socket.setNoDelay(true)
    let startedAt = 0
    let answer = ''
    const send = () => {
      const request = requests[sent % variants]
      sent += 1
      if (!request) return
      // The socket may still use the last request's bytes, so each sending is a copy.
      const bytes = Buffer.from(request.bytes)
      bytes.write(uuidV7(), request.idAt, 'latin1')
      bytes.write(writeEnd(sent), request.endAt, 'latin1')
      startedAt = performance.now()
      socket.write(bytes)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => (isOver ? resolve() : reject(new Error('the server closed a connection'))))
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      const headEnd = answer.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const lengthAt = answer.indexOf('content-length: ')
      const length = Number.parseInt(answer.slice(lengthAt + 16, lengthAt + 26), 10)
      if (answer.length < headEnd + 4 + length) return
      count(answer.slice(9, 12), performance.now() - startedAt)
      answer = ''
      if (isOver) socket.end()
      else send()
    })
  })
}

function count(status: string, durationMs: number): void {
  if (!isMeasuring) return
  if (status === '201') {
    accepted += 1
    durations.push(durationMs)
  } else other[status] = (other[status] ?? 0) + 1
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

const connections = Array.from({ length: task.connections }, openConnection)
await new Promise((resolve) => setTimeout(resolve, task.warmUpMs))
const cpuBefore = process.cpuUsage()
const startedAt = performance.now()
isMeasuring = true
await new Promise((resolve) => setTimeout(resolve, task.measureMs))
isMeasuring = false
const seconds = (performance.now() - startedAt) / 1000
const cpu = process.cpuUsage(cpuBefore)
isOver = true
await Promise.all(connections)

durations.sort((a, b) => a - b)
const result: SendResult = {
  accepted,
  other,
  seconds,
  p50Ms: percentile(durations, 0.5),
  p99Ms: percentile(durations, 0.99),
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
}
process.stdout.write(JSON.stringify(result))
