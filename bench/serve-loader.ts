/*
 * The widget's loader, as pages ask for it: answers per second beside nginx with one worker that serves the same bytes as a file,
 * and beside a bare server of Node that has them in memory. Run: npm run bench -- serve-loader
 */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createProject, createUser } from '#server/testing/builders.ts'
import { findFreePorts } from '../e2e/start-product.ts'
import { type BareAnswer, startBareServer } from './harness/bare-server.ts'
import { readUsage } from './harness/processes.ts'
import { startBenchServer } from './harness/server.ts'
import { median, printTable } from './harness/table.ts'
import type { GetResult, GetTask } from './send-gets.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const warmUpMs = Number(process.env.BENCH_WARM_UP_MS ?? 1_500)
const measureMs = Number(process.env.BENCH_MEASURE_MS ?? 4_000)
const connections = 64
/** Of nginx. */
const target = 0.8

interface Served {
  readonly port: number
  readonly pid: number
}

interface Measured {
  readonly perSecond: number
  readonly perCore: number
  readonly other: number
}

if (spawnSync('nginx', ['-v']).error) throw new Error('nginx is not installed: apt-get install nginx-light')
const server = await startBenchServer()
const folder = mkdtempSync(join(tmpdir(), 'earshot-nginx-'))
const stops: (() => void)[] = []
try {
  const { organizationId = '' } = await createUser(server.sql)
  const { widgetKey } = await createProject(server.sql, { organizationId, domain: 'shop.example.com' })
  const path = `/e/${widgetKey}.js`
  const answer = await ask(server.port, path)
  const bare = await startBareServer(answer)
  stops.push(bare.stop)
  const nginx = await startNginx(path, answer)
  stops.push(nginx.stop)
  if ((await ask(nginx.port, path)).body !== answer.body) throw new Error('nginx answers other bytes')
  const kinds: Readonly<Record<string, Served>> = { Earshot: server, nginx, 'Node, bare': bare }
  const measured = Object.fromEntries(Object.keys(kinds).map((name): [string, Measured[]] => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, served] of Object.entries(kinds)) measured[name]?.push(await measure(served, path))
  }
  const middle = (name: string, figure: keyof Measured) => median((measured[name] ?? []).map((each) => each[figure]))
  process.stdout.write(
    `\nThe loader, ${Buffer.from(answer.body, 'base64').length} bytes with ${Object.keys(answer.headers).length} headers, ${connections} connections; ` +
      `median of ${rounds} rounds of ${measureMs / 1000} s, all in turns. Per core: by the processor time of the server.\n\n`,
  )
  printTable(
    ['server', 'answers/s', 'of nginx', 'answers/s of one core', 'of nginx', 'target', 'other answers'],
    Object.keys(kinds).map((name) => [
      name,
      middle(name, 'perSecond').toFixed(0),
      (middle(name, 'perSecond') / middle('nginx', 'perSecond')).toFixed(2),
      middle(name, 'perCore').toFixed(0),
      (middle(name, 'perCore') / middle('nginx', 'perCore')).toFixed(2),
      name === 'Earshot' ? `≥ ${target}` : '',
      String(middle(name, 'other')),
    ]),
  )
} finally {
  for (const stop of stops) stop()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** The answer as it is sent: not decoded. */
function ask(port: number, path: string): Promise<BareAnswer> {
  return new Promise((resolve, reject) => {
    const options = { port, path, host: '127.0.0.1', headers: { 'accept-encoding': 'br' } }
    get(options, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const { date, connection, 'keep-alive': kept, ...headers } = response.headers
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        body: Buffer.concat(chunks).toString('base64'),
      })
    }).on('error', reject)
  })
}

async function startNginx(path: string, { headers, body }: BareAnswer): Promise<Served & { stop(): void }> {
  const [port = 0] = await findFreePorts(1)
  const { 'content-length': _length, 'content-type': type, ...others } = headers
  // Its worker runs as another user.
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'loader.js'), Buffer.from(body, 'base64'))
  writeFileSync(
    join(folder, 'nginx.conf'),
    `worker_processes 1;
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  etag off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=100;
  open_file_cache_valid 60s;
  default_type "${type}";
  types {}
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location = ${path} {
      alias ${folder}/loader.js;
${Object.entries(others)
  .filter(([name]) => name !== 'last-modified')
  .map(([name, value]) => `      add_header ${name} "${value.replaceAll('"', '\\"')}";`)
  .join('\n')}
    }
  }
}
`,
  )
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    if (reply?.ok) break
    await pause(50)
  }
  return { port, pid: child.pid ?? 0, stop: () => void child.kill('SIGTERM') }
}

async function measure({ port, pid }: Served, path: string): Promise<Measured> {
  const task: GetTask = { host: '127.0.0.1', port, path, connections, warmUpMs, measureMs, isSame: true }
  const running = promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'send-gets.ts'),
    JSON.stringify(task),
  ])
  await pause(warmUpMs)
  const before = readUsage(pid)
  const startedAt = performance.now()
  await pause(measureMs - 500)
  const cores = (readUsage(pid).cpuSeconds - before.cpuSeconds) / ((performance.now() - startedAt) / 1000)
  const { answers, seconds } = JSON.parse((await running).stdout) as GetResult
  const { '200': accepted = 0, ...others } = answers
  return {
    perSecond: accepted / seconds,
    perCore: accepted / seconds / cores,
    other: Object.values(others).reduce((sum, each) => sum + each, 0),
  }
}
