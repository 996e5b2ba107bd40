import type { EmailPreview, EmailTemplate, EmailTemplateLine } from '#contract/email-templates.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { beginEmailPause, insertEmail } from '../mail.queries.ts'
import type { RenderedMail } from '../mail-layout.ts'
import { checkWords, findHints, tidyWords } from './check-words.ts'
import { describeLine, describeTemplate, type Instance } from './describe-template.ts'
import { renderWith } from './present-words.ts'
import { samples } from './samples/samples.ts'
import { getTemplate, note, requireGood, saveWords } from './save-words.ts'
import * as queries from './stored-words.queries.ts'
import type { Template, Words } from './template.ts'
import { templates } from './templates.ts'

const reason = 'the words of emails are of the instance'
/** Between two tests of one superadmin. */
const testPauseSeconds = 10

interface Draft {
  readonly words: Words
  /** Place of the sample. */
  readonly sample: number
}

export type EmailTemplates = ReturnType<typeof createEmailTemplates>

/** Words of emails, as superadmins read and change them. All but `list` throw ProductErrors. */
export function createEmailTemplates(database: Database, instance: Instance) {
  const inSystem = <T>(fn: (tx: SystemTx) => Promise<T>) => database.asSystem(reason, fn)
  const show = (template: Template, stored: queries.StoredWords | undefined) =>
    describeTemplate(template, stored, instance)

  const change = (id: string, version: number, words: Words | null, userId: string): Promise<EmailTemplate> =>
    inSystem(async (tx) => {
      const template = getTemplate(id)
      await queries.lockWords(tx)
      await saveWords(tx, { template, version, words, userId, action: 'saved' })
      return show(template, await queries.findStoredWords(tx, id))
    })

  return {
    list: (): Promise<EmailTemplateLine[]> =>
      inSystem(async (tx) => {
        const stored = new Map((await queries.listStoredWords(tx)).map((each) => [each.id, each]))
        return templates.map((template) => describeLine(template, stored.get(template.id), instance))
      }),

    get: (id: string): Promise<EmailTemplate> =>
      inSystem(async (tx) => show(getTemplate(id), await queries.findStoredWords(tx, id))),

    /** Words that are stored already are not saved again, so that a retry is safe. */
    save: (userId: string, id: string, { version, words }: { version: number; words: Words }) =>
      change(id, version, requireGood(getTemplate(id), words, 'body.words'), userId),

    reset: (userId: string, id: string, version: number) => change(id, version, null, userId),

    preview: (id: string, draft: Draft): EmailPreview => {
      const template = getTemplate(id)
      const words = tidyWords(draft.words)
      const problems = checkWords(template, words)
      if (problems.length > 0) return { mail: null, problems, hints: [] }
      const { subject, preview = '', html, text } = renderSample(template, words, draft.sample, instance.appUrl)
      const hints = findHints(template, words, subject)
      return { mail: { subject, preview, html, text }, problems, hints }
    },

    /** Sends a sample to the address of the caller. */
    test: async (userId: string, id: string, draft: Draft, emailId: string) => {
      const template = getTemplate(id)
      const words = requireGood(template, draft.words, 'body.words')
      const mail = renderSample(template, words, draft.sample, instance.appUrl)
      return inSystem(async (tx) => {
        const to = await queries.findOwnAddress(tx, userId)
        if (to === undefined) throw invalid('caller', 'has no confirmed email address')
        const wait = await beginEmailPause(tx, { kind: 'template_test', to, seconds: testPauseSeconds })
        if (wait > 0) {
          const detail = `A test was sent a moment ago. You can send another in ${wait} s.`
          throw new ProductError('rate_limited', { detail, retryAfterSeconds: wait })
        }
        await insertEmail(tx, { id: emailId, to, mail: toTest(mail) })
        await note(tx, 'tested', template, { emailId })
        return { emailId, to }
      })
    },
  }
}

/** The email with made-up data, by the code that makes real ones. */
function renderSample({ id }: Template, words: Words, place: number, appUrl: string): RenderedMail {
  const all = samples[id] ?? []
  const sample = all[place]
  if (!sample) throw invalid('body.sample', `must be less than ${all.length}`)
  return renderWith(new Map([[id, words]]), () => sample.render(appUrl))
}

function toTest({ subject, html, text }: RenderedMail): RenderedMail {
  return { kind: 'template_test', html, text, subject: `[Test] ${subject}`.slice(0, 200) }
}
