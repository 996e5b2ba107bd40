import type { BrowserContextOptions } from '@playwright/test'
import type { Session } from '@supabase/auth-js'
import { readMails } from '#doubles/read-mails.ts'
import { storageKeys } from '#web/lib/storage.ts'

/*
 * Accounts and sessions without the forms, which have tests of their own: a form costs a second or more each time.
 */
type Login = { email: string; password: string }
/** What a browser has stored. */
export type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>

/** A browser that has never been here: new contexts otherwise start as the tests' pages do. */
export const signedOutState: StorageState = { cookies: [], origins: [] }

const readBaseUrl = () => process.env.EARSHOT_URL ?? ''
/** By the product's address: a test may have a product of its own. */
const anonKeys = new Map<string, Promise<string>>()

async function readAnonKey(): Promise<string> {
  const { supabaseAnonKey } = await readJson<{ supabaseAnonKey: string }>(fetch(`${readBaseUrl()}/api/v1/config`))
  return supabaseAnonKey
}

/** Posts to the product as its web app does; signed out without a token. */
export async function postToProduct(path: string, body: object, token?: string): Promise<Response> {
  const known = anonKeys.get(readBaseUrl()) ?? readAnonKey()
  anonKeys.set(readBaseUrl(), known)
  const apikey = await known
  return fetch(`${readBaseUrl()}${path}`, {
    method: 'POST',
    headers: { apikey, authorization: `Bearer ${token ?? apikey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Signs up and confirms the address. */
export async function createAccount({ email, password }: Login, data: Record<string, string>): Promise<void> {
  await readJson(postToProduct('/auth/v1/signup', { email, password, data }))
  const mails = readMails(process.env.EARSHOT_MAIL_URL ?? '')
  const { links } = await mails.waitForMail(email, { subject: /^Confirm/ })
  // As the button of its page does: a script's GET would only get the page.
  const url = new URL(links.find((link) => link.includes('/verify')) ?? '')
  url.pathname = '/auth/v1/verify/link'
  await fetch(url, { method: 'POST', redirect: 'manual' })
}

/** A session of its own, as on another device. */
export function startSession({ email, password }: Login): Promise<Session> {
  return readJson(postToProduct('/auth/v1/token?grant_type=password', { email, password }))
}

/** A browser that has this session and no other has: each would end the other's by refreshing it. */
export function storeSession(session: Session): StorageState {
  const localStorage = [{ name: storageKeys.session, value: JSON.stringify(session) }]
  return { cookies: [], origins: [{ origin: new URL(readBaseUrl()).origin, localStorage }] }
}

/** @throws Error with the answer unless it is a good one */
export async function readJson<T>(answer: Promise<Response>): Promise<T> {
  const response = await answer
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`)
  return JSON.parse(text) as T
}
