import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type MailReader, readMails } from './read-mails.ts'

/** A mail server that shows all emails and delivers none: development and tests only. */
export type MailCatcher = MailReader & {
  /** For SMTP_URL. */
  smtpUrl: string
  /** Its web page. */
  webUrl: string
  /** Settles when it has ended, requested or not. */
  ended: Promise<void>
  stop(): Promise<void>
}

const startTimeoutMs = 15_000
const stopTimeoutMs = 1500

/**
 * Starts maildev on the loopback interface.
 *
 * @throws Error when a port is taken or it does not start
 */
export async function startMailCatcher(ports: { smtpPort: number; webPort: number }): Promise<MailCatcher> {
  const child = fork(
    fileURLToPath(new URL('mail-process.ts', import.meta.url)),
    [String(ports.smtpPort), String(ports.webPort)],
    // Its own process group, so that Ctrl-C in the terminal does not stop it before the final email is sent.
    { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    // When its channel closes, it deletes its emails and exits.
    if (child.connected) child.disconnect()
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
    await ended
    clearTimeout(timer)
  }
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => fail(`not ready after ${startTimeoutMs / 1000} s`), startTimeoutMs)
    const fail = (reason: string) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`The mail catcher did not start: ${reason}`))
    }
    child.once('message', (message: { ready?: true; error?: string }) => {
      if (!message.ready) return fail(message.error ?? 'no reason given')
      clearTimeout(timer)
      resolve()
    })
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code) => fail(`it ended with code ${code}`))
  })
  child.unref()
  child.channel?.unref()
  const webUrl = `http://localhost:${ports.webPort}`
  return {
    ...readMails(`http://127.0.0.1:${ports.webPort}`),
    smtpUrl: `smtp://127.0.0.1:${ports.smtpPort}`,
    webUrl,
    ended,
    stop,
  }
}
