import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the ports that systems give to outgoing connections: one of those could take the port before its server does.
const firstPort = 20_000
const lastPort = 32_000
const maxTries = 50

/** A port that was free a moment ago. @throws Error when none of 50 random ports is free. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const port = randomInt(firstPort, lastPort)
    if (await isFree(port)) return port
  }
  throw new Error(`No free port between ${firstPort} and ${lastPort}.`)
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
