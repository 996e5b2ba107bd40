import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Program, startProgram } from './program.ts'

const host = '127.0.0.1'

/** Three members of etcd, each with a port for clients and one for the others. */
export async function startEtcd(options: {
  folder: string
  user: { uid: number; gid: number } | undefined
  ports: readonly { client: number; peer: number }[]
}): Promise<{ hosts: string; stop(): Promise<void> }> {
  const { folder, user, ports } = options
  const cluster = ports.map(({ peer }, n) => `etcd${n}=http://${host}:${peer}`).join(',')
  const members: Program[] = ports.map(({ client, peer }, n) =>
    startProgram(
      'etcd',
      [
        ...['--name', `etcd${n}`, '--data-dir', join(folder, `etcd${n}`)],
        ...['--listen-client-urls', `http://${host}:${client}`, '--advertise-client-urls', `http://${host}:${client}`],
        ...['--listen-peer-urls', `http://${host}:${peer}`, '--initial-advertise-peer-urls', `http://${host}:${peer}`],
        ...['--initial-cluster', cluster, '--initial-cluster-state', 'new', '--log-level', 'warn'],
      ],
      { folder, name: `etcd${n}`, user },
    ),
  )
  for (const { client } of ports) await untilHealthy(`http://${host}:${client}/health`)
  return {
    hosts: ports.map(({ client }) => `${host}:${client}`).join(','),
    stop: async () => {
      await Promise.all(members.map((member) => member.stop()))
    },
  }
}

async function untilHealthy(url: string): Promise<void> {
  for (const until = performance.now() + 30_000; performance.now() < until; await pause(200)) {
    const reply = await fetch(url).catch(() => undefined)
    if (reply?.ok) return
  }
  throw new Error(`etcd does not answer at ${url}`)
}
