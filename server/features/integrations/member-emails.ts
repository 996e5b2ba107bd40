import { v5 as uuidV5 } from 'uuid'
import type { Database } from '#server/platform/database/database.ts'
import { queueEmailOnce, type RenderedMail } from '../mail/mail.service.ts'
import type { DeliveryTools } from './define-integration.ts'
import { DeliveryFailure } from './delivery-failure.ts'
import { findMailFrame, hasEnoughEmails, listMemberAddresses } from './member-emails.queries.ts'

/** An email of a delivery, before it is written for the organisation. */
export interface MemberEmail {
  readonly organizationId: string
  readonly deliveryId: string
  /** Unsent emails are deleted with the item that they are about. */
  readonly feedbackId: string | null
  readonly to: readonly string[]
  readonly render: Parameters<DeliveryTools['sendEmails']>[1]
}

/** Emails of integrations. They go to members only: an organisation could send others anything. */
export interface MemberEmails {
  /** Those of the addresses that belong to no member with a confirmed account. */
  findStrangers(organizationId: string, addresses: readonly string[]): Promise<string[]>
  /**
   * Puts an email for each address that belongs to a member into the outbox, once for each delivery and address.
   *
   * @returns the email, and how many addresses get it.
   * @throws DeliveryFailure when none of them belongs to a member, or one got too many within the last hour.
   */
  send(email: MemberEmail): Promise<{ mail: RenderedMail; count: number }>
}

/** Of one organisation to one address. A flood of feedback waits, and is then sent slowly. */
const maxEmailsPerHour = 60
const waitSeconds = 900
/** The same delivery and address give the same email: a repeated attempt queues nothing twice. */
const namespace = 'b0b8f4a6-6d0f-4f0e-9d0b-6e5d1c0a7c11'
const reason = 'emails of integrations of every organisation'

export function createMemberEmails({ database, appUrl }: { database: Database; appUrl: string }): MemberEmails {
  return {
    findStrangers: async (organizationId, addresses) => {
      const members = await database.asSystem(reason, (tx) => listMemberAddresses(tx, organizationId, lower(addresses)))
      return addresses.filter((address) => !members.includes(address.toLowerCase()))
    },

    send: async ({ organizationId, deliveryId, feedbackId, to, render }) => {
      const { mail, count, isFull } = await database.asSystem(reason, async (tx) => {
        const members = await listMemberAddresses(tx, organizationId, lower(to))
        const frame = await findMailFrame(tx, organizationId)
        if (!frame || members.length === 0) throw new DeliveryFailure('None of the addresses belongs to a member.')
        const written = render({ ...frame, appUrl })
        let full = 0
        for (const address of members) {
          const id = uuidV5(`${deliveryId} ${address}`, namespace)
          const sent = { organizationId, to: address, kind: written.kind, id, most: maxEmailsPerHour }
          if (await hasEnoughEmails(tx, sent)) full += 1
          else await queueEmailOnce(tx, { id, to: address, mail: written, organizationId, feedbackId })
        }
        return { mail: written, count: members.length, isFull: full > 0 }
      })
      if (isFull) {
        const why = `An address got ${maxEmailsPerHour} emails within an hour. Later ones wait.`
        throw new DeliveryFailure(why, { retryAfterSeconds: waitSeconds })
      }
      return { mail, count }
    },
  }
}

const lower = (addresses: readonly string[]) => addresses.map((address) => address.toLowerCase())
