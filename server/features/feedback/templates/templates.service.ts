import type { NewReplyTemplate, ReplyTemplate, ReplyTemplateChange } from '#contract/reply-templates.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import {
  countTemplates,
  deleteTemplate,
  findTemplate,
  insertTemplate,
  listTemplates,
  updateTemplate,
} from './templates.queries.ts'

/** More than a menu can offer; without a limit, one member's script would fill it. */
const templatesPerOrganization = 200

/** The team's reply templates. */
export interface ReplyTemplates {
  list(actor: Actor, organizationId: string): Promise<ReplyTemplate[]>
  /**
   * Adds a template. A retry gives the same answer and writes nothing.
   *
   * @throws ProductError `id_reused`, `too_many_templates`, `validation_failed` for a blank name or text.
   */
  create(
    actor: Actor,
    organizationId: string,
    template: NewReplyTemplate,
  ): Promise<{ template: ReplyTemplate; isNew: boolean }>
  /**
   * Changes the given fields only.
   *
   * @throws ProductError `template_not_found`, `validation_failed` for a blank name or text.
   */
  update(actor: Actor, organizationId: string, id: string, change: ReplyTemplateChange): Promise<ReplyTemplate>
  /** @throws ProductError `template_not_found`. */
  delete(actor: Actor, organizationId: string, id: string): Promise<void>
}

export function createReplyTemplates(database: Database): ReplyTemplates {
  return {
    list: (actor, organizationId) => database.withTenant(actor, (tx) => listTemplates(tx, organizationId)),

    create: (actor, organizationId, typed) => {
      const id = typed.id.toLowerCase()
      const name = checkText(typed.name, 'name')
      const text = checkText(typed.text, 'text')
      return database.withTenant(actor, async (tx) => {
        const count = await countTemplates(tx, organizationId)
        const earlier = await findTemplate(tx, organizationId, id)
        if (earlier) {
          if (earlier.name !== name || earlier.text !== text) throw new ProductError('id_reused')
          return { template: earlier, isNew: false }
        }
        if (count >= templatesPerOrganization) throw new ProductError('too_many_templates')
        await insertTemplate(tx, { organizationId, id, name, text })
        await record(tx, 'reply_template.created', organizationId, id)
        return { template: await getTemplate(tx, organizationId, id), isNew: true }
      })
    },

    update: (actor, organizationId, id, { name, text }) => {
      const change = {
        ...(name !== undefined && { name: checkText(name, 'name') }),
        ...(text !== undefined && { text: checkText(text, 'text') }),
      }
      return database.withTenant(actor, async (tx) => {
        const isFound = await updateTemplate(tx, organizationId, id, change)
        if (!isFound) throw new ProductError('template_not_found')
        await record(tx, 'reply_template.updated', organizationId, id)
        return getTemplate(tx, organizationId, id)
      })
    },

    delete: (actor, organizationId, id) =>
      database.withTenant(actor, async (tx) => {
        const isFound = await deleteTemplate(tx, organizationId, id)
        if (!isFound) throw new ProductError('template_not_found')
        await record(tx, 'reply_template.deleted', organizationId, id)
      }),
  }
}

async function getTemplate(tx: TenantTx, organizationId: string, id: string): Promise<ReplyTemplate> {
  const template = await findTemplate(tx, organizationId, id)
  if (!template) throw new ProductError('template_not_found')
  return template
}

function record(
  tx: TenantTx,
  name: 'reply_template.created' | 'reply_template.updated' | 'reply_template.deleted',
  organizationId: string,
  id: string,
): Promise<void> {
  return recordEvent(tx, { organizationId, name, ids: [id], payload: {}, announced: 'never' })
}

function checkText(typed: string, field: 'name' | 'text'): string {
  const text = typed.trim()
  if (text === '') throw invalid(`body.${field}`, 'must not be blank')
  return text
}
