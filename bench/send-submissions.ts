/*
 * The senders of the ingest benchmark, in their own process so that they don't use the server's event loop. They speak
 * just enough HTTP/1.1 to keep connections open and count responses: a full client would use the CPU time that is
 * measured. Run by ingest.ts and overload.ts with its task as JSON; prints a {@link SendResult}.
 */
import { connect } from 'node:net'
import { v7 as uuidV7 } from 'uuid'
import { makeSubmission, messageEnd, variants } from './harness/submissions.ts'

export interface SendTask {
  readonly host: string
  readonly port: number
  readonly widgetKey: string
  readonly origin: string
  /** Kept open; with `perSecond`, opened as needed up to this number. */
  readonly connections: number
  /** Sends so many at an even pace, whether answers come or not. Default: each connection sends once it has its answer. */
  readonly perSecond?: number
  /** Warm-up time, whose responses are not counted. */
  readonly warmUpMs: number
  readonly measureMs: number
}

export interface SendResult {
  /** Sent, or due to be sent, during the measurement. */
  readonly offered: number
  readonly accepted: number
  readonly other: Readonly<Record<string, number>>
  readonly seconds: number
  /** Latencies of accepted submissions, in milliseconds; with `perSecond`, from the moment on which it was due. */
  readonly p50Ms: number
  readonly p95Ms: number
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

/** Moments on which a submission was due that no connection was free for. */
const due: number[] = []
/** Sends on connections that have their answer. */
const idle: ((startedAt: number) => void)[] = []

function openConnection(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(task.port, task.host)
    socket.setNoDelay(true)
    let startedAt = 0
    let answer = ''
    const send = (since = performance.now()) => {
      const request = requests[sent % variants]
      sent += 1
      if (!request) return
      // The socket may still use the last request's bytes, so each sending is a copy.
      const bytes = Buffer.from(request.bytes)
      bytes.write(uuidV7(), request.idAt, 'latin1')
      bytes.write(writeEnd(sent), request.endAt, 'latin1')
      startedAt = since
      socket.write(bytes)
    }
    const sendNext = () => {
      if (isOver) socket.end()
      else if (task.perSecond === undefined) send()
      else if (due.length > 0) send(due.shift())
      else idle.push(send)
    }
    socket.on('connect', sendNext)
    // At the end, the server may answer a connection that is closed already.
    socket.on('error', (error) => (isOver ? resolve() : reject(error)))
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
      sendNext()
    })
    ended.then(() => socket.end())
  })
}

/** Opens a connection for each submission that is due while all others wait for answers. */
function keepPace(perSecond: number): Promise<void> {
  const open: Promise<void>[] = []
  const startedAt = performance.now()
  let made = 0
  const timer = setInterval(() => {
    const target = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
    for (; made < target; made += 1) {
      const dueAt = startedAt + (made / perSecond) * 1000
      const send = idle.pop()
      if (send) send(dueAt)
      else {
        due.push(dueAt)
        if (open.length < task.connections) open.push(openConnection())
      }
    }
  }, 2)
  return ended.then(async () => {
    clearInterval(timer)
    await Promise.all(open)
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

const { promise: ended, resolve: end } = Promise.withResolvers<void>()
const connections =
  task.perSecond === undefined ? Array.from({ length: task.connections }, openConnection) : [keepPace(task.perSecond)]
await new Promise((resolve) => setTimeout(resolve, task.warmUpMs))
const cpuBefore = process.cpuUsage()
const startedAt = performance.now()
isMeasuring = true
await new Promise((resolve) => setTimeout(resolve, task.measureMs))
isMeasuring = false
const seconds = (performance.now() - startedAt) / 1000
const cpu = process.cpuUsage(cpuBefore)
isOver = true
if (task.perSecond !== undefined) end()
await Promise.all(connections)

durations.sort((a, b) => a - b)
const answered = Object.values(other).reduce((sum, each) => sum + each, accepted)
const result: SendResult = {
  offered: task.perSecond === undefined ? answered : Math.round(task.perSecond * seconds),
  accepted,
  other,
  seconds,
  p50Ms: percentile(durations, 0.5),
  p95Ms: percentile(durations, 0.95),
  p99Ms: percentile(durations, 0.99),
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
}
process.stdout.write(JSON.stringify(result))
