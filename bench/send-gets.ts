/*
 * The readers of the pages benchmark, in their own process so that they don't use the server's event loop. Each asks for the
 * path over a kept connection, again when answered. They speak just enough HTTP/1.1 to count
 * answers. Run by pages.ts with its task as JSON; prints a {@link GetResult}.
 */
import { connect } from 'node:net'

export interface GetTask {
  readonly host: string
  readonly port: number
  readonly path: string
  readonly connections: number
  readonly warmUpMs: number
  readonly measureMs: number
  /** Always the same request, as a browser sends it, instead of one with a query of its own. */
  readonly isSame?: boolean
}

export interface GetResult {
  /** Answers of the measurement by status. */
  readonly answers: Readonly<Record<string, number>>
  readonly seconds: number
  /** Processor time of this process during the measurement, in seconds. */
  readonly cpuSeconds: number
}

const task = JSON.parse(process.argv[2] ?? '') as GetTask
const host = `host: ${task.host}:${task.port}\r\n`
const request = `GET ${task.path} HTTP/1.1\r\n${host}accept-encoding: gzip, deflate, br, zstd\r\naccept-language: en-GB,en;q=0.9\r\n\r\n`
const answers: Record<string, number> = {}
let isMeasuring = false
let isOver = false
let sent = 0

function openConnection(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(task.port, task.host)
    socket.setNoDelay(true)
    let missing = 0
    let status = ''
    const send = () => {
      sent += 1
      socket.write(task.isSame ? request : `GET ${task.path}?visit=${sent} HTTP/1.1\r\n${host}\r\n`)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => (isOver ? resolve() : reject(new Error('the server closed a connection'))))
    socket.on('data', (chunk) => {
      if (missing === 0) {
        // Heads arrive whole: the server writes them at once.
        const headEnd = chunk.indexOf('\r\n\r\n') + 4
        const head = chunk.toString('latin1', 0, headEnd)
        status = head.slice(9, 12)
        missing = Number(/content-length: (\d+)/i.exec(head)?.[1]) + headEnd
      }
      missing -= chunk.length
      if (missing > 0) return
      if (isMeasuring) answers[status] = (answers[status] ?? 0) + 1
      if (isOver) socket.end()
      else send()
    })
  })
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
const result: GetResult = { answers, seconds, cpuSeconds: (cpu.user + cpu.system) / 1e6 }
process.stdout.write(JSON.stringify(result))
