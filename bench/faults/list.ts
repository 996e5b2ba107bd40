import { connectionsExhausted } from './connections-exhausted.ts'
import { diskFilled } from './disk-filled.ts'
import type { Fault } from './fault.ts'
import { npmTerminated } from './npm-terminated.ts'
import { postgresFrozen } from './postgres-frozen.ts'
import { backendKilled, backendsTerminated, postgresRestarted, postmasterKilled } from './postgres-killed.ts'
import { serverKilled, workerKilled } from './server-killed.ts'

/** What a product has to survive. A new fault is a line here and a file beside it. */
export const faults: readonly Fault[] = [
  serverKilled,
  postmasterKilled,
  backendKilled,
  backendsTerminated,
  postgresRestarted,
  postgresFrozen,
  connectionsExhausted,
  diskFilled,
  workerKilled,
  npmTerminated,
]
