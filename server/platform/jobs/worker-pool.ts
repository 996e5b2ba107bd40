import type pg from 'pg'
import { DatabaseAwayError } from '../database/away.ts'
import { openPool } from '../database/pool.ts'
import type { Log } from '../log/log.ts'

type OnConnected = NonNullable<Parameters<pg.Pool['connect']>[0]>

/** Connections of a worker: to take jobs, to be told of new ones, and to note what is done. */
export function openWorkerPool(url: string, max: number, log: Log): pg.Pool {
  const pool = openPool(
    {
      connectionString: url,
      max,
      application_name: 'earshot worker',
      // This pool only notes which jobs are taken and which are done. A note lost with the machine means that a job runs
      // again, as it may at any time; not waiting for the disk leaves it to those who are promised something.
      // The login itself has no rights.
      options: '-c role=service_role -c synchronous_commit=off',
    },
    log,
  )
  // graphile-worker repeats by itself after some codes of a lost server, with pauses of up to two minutes: that long it would
  // neither run jobs nor stop. Without a code, its runner is replaced as soon as the server is back.
  const connect = pool.connect.bind(pool)
  const connectOrFail = (callback?: OnConnected) =>
    callback
      ? connect((error, client, release) => callback(error, client, releaseOnce(release)))
      : connect().catch((cause: unknown) => {
          throw new DatabaseAwayError({ cause })
        })
  // Both signatures of the driver, as they were.
  pool.connect = connectOrFail as typeof pool.connect
  return pool
}

/**
 * graphile-worker gives the connection on which it listens back twice when it stops while its LISTEN fails. The pool throws at
 * the second time, where no one catches it: the process would end.
 */
function releaseOnce(release: Parameters<OnConnected>[2]): Parameters<OnConnected>[2] {
  let released = false
  return (error) => {
    if (released) return
    released = true
    release(error)
  }
}
