/*
 * The server of `earshot start`, in a process of its own: its parent starts it again if it ends by itself. It loads while the
 * database starts, and waits for its settings.
 */
import { createCleanUp, stopOnBugs, stopOnSignals } from './launch/clean-up.ts'
import type { FromKeeper, FromServer } from './launch/keep-server.ts'
import { readSettingSources } from './launch/setting-sources.ts'

// The parent was killed. Its successor needs the port; what was acknowledged is on disk.
process.on('disconnect', () => process.exit(1))
const given = new Promise<FromKeeper>((resolve) => process.once('message', resolve))
if (!process.connected) process.exit(1)

const [{ loadConfig }, { createLog }, { startServer }, { readErrorMessage }] = await Promise.all([
  import('#server/config.ts'),
  import('#server/platform/log/log.ts'),
  import('#server/start.ts'),
  import('#server/platform/read-error.ts'),
])
const tell = (message: FromServer) => process.send?.(message)
const { settings, keeperId } = await given
const cleanUp = createCleanUp()
stopOnSignals(cleanUp)

try {
  const config = loadConfig({ ...process.env, ...settings }, readSettingSources(process.env, settings))
  const log = createLog({ level: config.logLevel, pretty: !config.production })
  stopOnBugs(cleanUp, (error) => log.fatal({ err: error }, 'a bug: an error that no code handled; the server stops'))
  const server = await startServer({ ...config, databaseUrl: settings.DATABASE_URL }, log, { keeperId })
  cleanUp.add(server)
  tell({ isReady: true })
} catch (error) {
  tell({ isReady: false, reason: readErrorMessage(error) })
  await cleanUp.stopAll()
  process.exit(1)
}
