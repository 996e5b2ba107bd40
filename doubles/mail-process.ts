/*
 * The mail catcher, in its own process: maildev handles the signals of its process and ends it.
 * Arguments: SMTP port, web port. Tells its parent when both listen, and ends with the parent.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type MailDevOptions = {
  smtp: number
  web: number
  ip: string
  mailDirectory: string
  silent: boolean
}
type MailServer = { listen(): Promise<void> }

const require = createRequire(import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'earshot-mail-'))

process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.on('disconnect', () => process.exit(0))
process.on('uncaughtException', (error) => {
  process.send?.({ error: error.message }, () => process.exit(1))
})

// maildev has no types.
const createMailDev = require('maildev') as (options: MailDevOptions) => MailServer
// maildev has no types.
const web = require('maildev/lib/web') as { server: Server }

const [smtp, webPort] = process.argv.slice(2).map(Number)
const mailServer = createMailDev({
  smtp: smtp ?? 1025,
  web: webPort ?? 1080,
  ip: '127.0.0.1',
  mailDirectory: folder,
  silent: true,
})
await mailServer.listen()
if (!web.server.listening) await new Promise((resolve) => web.server.once('listening', resolve))
process.send?.({ ready: true })
