/* The server of `npm run dev`: without starting a database. */

import { createCleanUp, fail, stopOnSignals } from '#cli/launch/clean-up.ts'
import { loadConfig } from '#server/config.ts'
import { createLog } from '#server/platform/log/log.ts'
import { startServer } from '#server/start.ts'

const cleanUp = createCleanUp()
stopOnSignals(cleanUp)
// The parent process was killed.
process.on('disconnect', () => cleanUp.stopAll().then(() => process.exit(0)))

try {
  const config = loadConfig(process.env)
  const { databaseUrl } = config
  if (databaseUrl === null) throw new Error('DATABASE_URL is not set.')
  cleanUp.add(
    await startServer(
      { ...config, databaseUrl },
      createLog({ level: 'info', pretty: true, destination: process.stderr }),
    ),
  )
} catch (error) {
  await fail(error, cleanUp)
}
