import { createTransport } from 'nodemailer'
import { toSmtpOptions } from './mail-transport.ts'

const timeoutMs = 8_000

/** Connects, and signs in where the URL has a login; sends nothing. @throws with the reason when that fails */
export async function checkMailServer(smtpUrl: string): Promise<void> {
  const transport = createTransport({
    ...toSmtpOptions(smtpUrl),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}
