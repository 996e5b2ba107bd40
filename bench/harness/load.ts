import { Agent, request } from 'node:http'

export interface LoadResult {
  readonly perSecond: number
  /** Latencies of the counted tasks, in milliseconds. */
  readonly durationsMs: readonly number[]
  /** Processor time of this process for each second of the measurement. */
  readonly ownCores: number
}

/**
 * Keeps `width` tasks running, and counts those that end within the measurement.
 *
 * @throws the error of a task.
 */
export async function measureLoad(task: {
  width: number
  warmUpMs: number
  measureMs: number
  work: (lane: number, turn: number) => Promise<void>
}): Promise<LoadResult> {
  const countFrom = performance.now() + task.warmUpMs
  const until = countFrom + task.measureMs
  const durationsMs: number[] = []
  let cpuBefore = process.cpuUsage()
  const warm = setTimeout(() => {
    cpuBefore = process.cpuUsage()
  }, task.warmUpMs)
  await Promise.all(
    Array.from({ length: task.width }, async (_, lane) => {
      for (let turn = 0; performance.now() < until; turn += 1) {
        const startedAt = performance.now()
        await task.work(lane, turn)
        const now = performance.now()
        if (now >= countFrom && now < until) durationsMs.push(now - startedAt)
      }
    }),
  )
  clearTimeout(warm)
  const cpu = process.cpuUsage(cpuBefore)
  const seconds = task.measureMs / 1000
  return { perSecond: durationsMs.length / seconds, durationsMs, ownCores: (cpu.user + cpu.system) / 1e6 / seconds }
}

/** Posts JSON over keep-alive connections. */
export interface Poster {
  /** @throws unless the answer is 200. */
  post(path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<string>
  close(): void
}

export function openPoster(port: number, connections: number): Poster {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    post: (path, body, headers) =>
      new Promise((resolve, reject) => {
        const text = JSON.stringify(body)
        const sent = request(
          {
            agent,
            host: '127.0.0.1',
            port,
            path,
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'content-length': String(Buffer.byteLength(text)),
              ...headers,
            },
          },
          (reply) => {
            let answer = ''
            reply.setEncoding('utf8')
            reply.on('data', (chunk: string) => {
              answer += chunk
            })
            reply.once('end', () => {
              if (reply.statusCode === 200) resolve(answer)
              else reject(new Error(`${path} answered ${reply.statusCode}: ${answer}`))
            })
          },
        )
        sent.once('error', reject)
        sent.end(text)
      }),
    close: () => agent.destroy(),
  }
}
