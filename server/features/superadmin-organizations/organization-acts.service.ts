import { v7 as uuidV7 } from 'uuid'
import { organizationGraceDays } from '#contract/organization-deletion.ts'
import type { InstanceOrganization, NewSuspension } from '#contract/superadmin-organizations.ts'
import {
  queueEmailOnce,
  type RenderedMail,
  renderOrganizationClosed,
  renderOrganizationSuspended,
  renderSuspensionLifted,
} from '#server/features/mail/mail.service.ts'
import { closeOrganizationFor, endOrganizationGrace } from '#server/features/organizations/organizations.service.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { OrganizationRow } from './organizations.queries.ts'
import { getOrganization, toOrganization } from './read-organization.ts'
import * as queries from './suspension.queries.ts'

const reason = 'superadmins suspend and delete organisations'

/** Which organisation, and who acts. */
interface Act {
  readonly organizationId: string
  readonly userId: string
}

interface Confirmation {
  /** The organisation's name, as it was typed. */
  readonly name: string
  readonly reason: string
}

export type OrganizationActs = ReturnType<typeof createOrganizationActs>

type Change = (
  act: Act,
  work: (tx: SystemTx, before: OrganizationRow) => Promise<void>,
) => Promise<InstanceOrganization>

/** Changes of organisations by superadmins. Each is in the audit log of the instance, and what owners should know in theirs. */
export function createOrganizationActs(database: Database, { appUrl }: { appUrl: string }) {
  /** Makes a change of an organisation, one at a time. @returns the organisation afterwards. */
  const change: Change = ({ organizationId }, work) =>
    database.asSystem(reason, async (tx) => {
      await queries.holdOrganization(tx, organizationId)
      await work(tx, await getOrganization(tx, organizationId))
      return toOrganization(await getOrganization(tx, organizationId))
    })
  return { ...createSuspensionActs(change, appUrl), ...createDeletionActs(change, appUrl) }
}

function createSuspensionActs(change: Change, appUrl: string) {
  return {
    /** Repeated with other words, it changes those. @throws ProductError `organization_not_found`, `validation_failed`. */
    suspend: (act: Act, typed: NewSuspension): Promise<InstanceOrganization> => {
      const suspension = { reason: requireReason(typed.reason), message: typed.message?.trim() || null }
      return change(act, async (tx, { id, name }) => {
        const before = await queries.findSuspension(tx, id)
        if (before?.reason === suspension.reason && before.message === suspension.message) return
        if (before) await queries.changeSuspension(tx, id, suspension)
        else await queries.insertSuspension(tx, { ...act, ...suspension })
        await note(tx, before ? 'organization.suspension_changed' : 'organization.suspended', { id, name }, suspension)
        if (before && before.message === suspension.message) return
        const { message } = suspension
        const payload = message === null ? {} : { message }
        await recordEvent(tx, { organizationId: id, name: 'organization.suspended', ids: [id], payload })
        if (before) return
        await tellOwners(tx, id, renderOrganizationSuspended({ appUrl, organizationName: name, message }))
      })
    },

    /** @throws ProductError `organization_not_found`. */
    lift: (act: Act): Promise<InstanceOrganization> =>
      change(act, async (tx, { id, name, suspendedAt }) => {
        if (suspendedAt === null) return
        await queries.endSuspension(tx, id, act.userId)
        await note(tx, 'organization.suspension_lifted', { id, name }, {})
        await recordEvent(tx, { organizationId: id, name: 'organization.suspension_lifted', ids: [id], payload: {} })
        await tellOwners(tx, id, renderSuspensionLifted({ appUrl, organizationName: name }))
      }),
  }
}

function createDeletionActs(change: Change, appUrl: string) {
  return {
    /** As an owner's deletion; does nothing to a closed one. @throws ProductError `organization_not_found`, `validation_failed`. */
    delete: (act: Act, typed: Confirmation): Promise<InstanceOrganization> => {
      const why = requireReason(typed.reason)
      return change(act, async (tx, { id, name }) => {
        requireName(typed.name, name)
        const deleteAfter = await closeOrganizationFor(tx, {
          organizationId: id,
          userId: act.userId,
          graceDays: organizationGraceDays,
        })
        if (!deleteAfter) return
        await note(tx, 'organization.deleted_by_superadmin', { id, name }, { reason: why })
        const closedByName = 'An administrator of this Earshot instance'
        await tellOwners(
          tx,
          id,
          renderOrganizationClosed({ appUrl, organizationName: name, closedByName, deleteAfter }),
        )
      })
    },

    /**
     * Has a closed organisation removed without the rest of its grace. The job ends its payments first.
     *
     * @throws ProductError `organization_not_found`, `organization_not_closed`, `validation_failed`.
     */
    remove: (act: Act, typed: Confirmation): Promise<InstanceOrganization> => {
      const why = requireReason(typed.reason)
      return change(act, async (tx, { id, name, closedAt, deleteAfter }) => {
        requireName(typed.name, name)
        if (closedAt === null || deleteAfter === null) throw new ProductError('organization_not_closed')
        await endOrganizationGrace(tx, id)
        // Repeated, it is being removed already.
        if (deleteAfter.getTime() <= Date.now()) return
        await note(tx, 'organization.removal_requested', { id, name }, { reason: why })
      })
    },
  }
}

function requireReason(typed: string): string {
  const why = typed.trim()
  if (why === '') throw invalid('body.reason', 'must not be blank')
  return why
}

function requireName(typed: string, name: string): void {
  if (typed.trim() !== name.trim()) throw invalid('body.name', 'must be the name of the organisation')
}

function note(
  tx: SystemTx,
  action: string,
  { id, name }: Pick<OrganizationRow, 'id' | 'name'>,
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  return writeInstanceEntry(tx, { action, targetType: 'organization', targetId: id, targetName: name, after })
}

async function tellOwners(tx: SystemTx, organizationId: string, mail: RenderedMail): Promise<void> {
  for (const to of await queries.listOwnerAddresses(tx, organizationId)) {
    await queueEmailOnce(tx, { id: uuidV7(), to, mail, organizationId, feedbackId: null })
  }
}
