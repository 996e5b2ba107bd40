import { BlockList, isIP } from 'node:net'
import type { AuthTx, Database } from '#server/platform/database/database.ts'
import { rateKeyOf } from '#server/platform/http/token-buckets.ts'
import { createSharedLimit, type SharedLimit } from '#server/platform/limits/shared-limit.ts'
import { AuthError } from './protocol/auth-error.ts'

/**
 * The purpose of an email, each with half of the instance's hourly limit. `member`: sign-in, reset and confirmation codes
 * of confirmed accounts. `new`: everything for an address that no one has proven, so that a flood of new addresses
 * leaves members' emails alone.
 */
export type MailPurpose = 'member' | 'new'

/** The requests that cause emails. Each has a budget per network. */
export type MailRequest = 'sign_up' | 'otp' | 'recover' | 'resend' | 'account'

/** Limits of emails, shared by all processes. */
export interface MailBudgets {
  readonly purposes: Readonly<Record<MailPurpose, SharedLimit>>
  readonly networks: SharedLimit
}

const hourMs = 60 * 60_000

/** @param perHour emails of the whole instance. */
export function createMailBudgets(perHour: number, database: Database): MailBudgets {
  const half = Math.ceil(perHour / 2)
  const create = (name: string, capacity: number) => createSharedLimit({ name, capacity, refillMs: hourMs }, database)
  return {
    purposes: { member: create('auth_mail_member', half), new: create('auth_mail_new', half) },
    networks: create('auth_mail_network', Math.ceil(perHour / 10)),
  }
}

interface Parts {
  readonly mailBudgets: MailBudgets
}

/**
 * Counts a request for an email against its sender's network, before anything is known of the address: known and
 * unknown addresses count alike.
 *
 * @throws AuthError `over_email_send_rate_limit` when the network has requested a tenth of the instance's hourly limit.
 */
export async function spendNetwork(
  { mailBudgets }: Parts,
  request: MailRequest,
  client: { readonly ip: string | null },
): Promise<void> {
  const network = networkOf(client.ip ?? '')
  if (network !== undefined) refuse(await mailBudgets.networks.take(`${request} ${network}`))
}

/**
 * Counts an email that is about to be queued, in the transaction that queues it: a rollback uncounts it. Other emails
 * wait until that transaction ends, so queue the email soon after.
 *
 * @throws AuthError `over_email_send_rate_limit` when the purpose is over its hourly limit.
 */
export async function spendMail({ mailBudgets }: Parts, tx: AuthTx, purpose: MailPurpose): Promise<void> {
  refuse(await mailBudgets.purposes[purpose].takeWithin(tx, 'all'))
}

/**
 * Refuses as {@link spendMail} would, for an address without an email to send: else a reached limit would reveal who has
 * an account.
 *
 * @throws AuthError `over_email_send_rate_limit`
 */
export async function pretendToSpendMail({ mailBudgets }: Parts, tx: AuthTx, purpose: MailPurpose): Promise<void> {
  refuse(await mailBudgets.purposes[purpose].probeWithin(tx, 'all'))
}

/**
 * Whether an email to an unproven address may be sent in answer to a request that members send, too. Where not, the
 * request sends nothing and succeeds: a refusal would reveal that the address is no member's.
 */
export async function maySendToNew({ mailBudgets }: Parts, tx: AuthTx): Promise<boolean> {
  return (await mailBudgets.purposes.new.probeWithin(tx, 'all')) === undefined
}

function refuse(retryAfterSeconds: number | undefined): void {
  if (retryAfterSeconds !== undefined) throw new AuthError('over_email_send_rate_limit', { retryAfterSeconds })
}

/** Behind such an address are our own proxy or a local network: everyone there would share one budget. */
const localNetworks = new BlockList()
localNetworks.addSubnet('10.0.0.0', 8)
localNetworks.addSubnet('100.64.0.0', 10)
localNetworks.addSubnet('127.0.0.0', 8)
localNetworks.addSubnet('169.254.0.0', 16)
localNetworks.addSubnet('172.16.0.0', 12)
localNetworks.addSubnet('192.168.0.0', 16)
localNetworks.addAddress('::1', 'ipv6')
localNetworks.addSubnet('fc00::', 7, 'ipv6')
localNetworks.addSubnet('fe80::', 10, 'ipv6')

/**
 * The network of an address: what one sender can usually get, an IPv4 /24 or an IPv6 /56.
 *
 * @returns undefined for a local or unknown address.
 */
export function networkOf(ip: string): string | undefined {
  const version = isIP(ip)
  if (version === 0 || localNetworks.check(ip, version === 6 ? 'ipv6' : 'ipv4')) return undefined
  // Four groups of an IPv6 address, or a mapped or plain IPv4 address.
  const key = rateKeyOf(ip)
  if (key.includes('.')) return key.split('.').slice(0, 3).join('.')
  const groups = key.split(':').map((group) => group.toLowerCase().padStart(4, '0'))
  return groups.join('').slice(0, 14)
}
