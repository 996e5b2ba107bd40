import type { FeedbackType } from '#contract/feedback.ts'
import type { Submission } from '#contract/widget.ts'
import type { Stage } from '../loader/stage.ts'
import { looksLikeEmail, readText } from '../panel/fields.ts'
import type { Panel } from '../panel/state.ts'
import { readContext } from '../transport/context.ts'
import { createUuidV7 } from '../transport/uuid-v7.ts'
import { withoutCredentials } from '../transport/without-credentials.ts'

const maxMetadataLength = 60_000
const visitorKeyName = 'earshot.visitor'

/** The page's address without credentials: user and password are removed, values of suspicious parameters redacted. */
export function redactUrl(url: string): string {
  return withoutCredentials(url).replace(
    /([?#&][^=&#]*(?:token|key|secret|code|pass|auth|session|sig)[^=&#]*=)[^&#]*/gi,
    '$1redacted',
  )
}

/** A copy of the site's metadata; nothing when it is no JSON or exceeds the server's limit, so that the text is still sent. */
function copyMetadata(metadata: Record<string, unknown>): Record<string, unknown> | undefined {
  try {
    const json = JSON.stringify(metadata)
    if (json.length <= maxMetadataLength) return json === '{}' ? undefined : JSON.parse(json)
  } catch {
    // Not JSON.
  }
  window.console?.warn('Earshot: the metadata was left out. It is too large, or not JSON.')
  return undefined
}

/** This browser's secret, by which it finds its own items again; undefined where storage is off or blocked. */
function takeVisitorKey({ settings, stage }: Panel): string | undefined {
  try {
    if (!settings.ownItems || stage.settings.storage === false) return undefined
    const known = localStorage.getItem(visitorKeyName)
    if (known) return known
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    const key = btoa(String.fromCharCode(...bytes))
      .replace(/[+/]/g, (letter) => (letter === '+' ? '-' : '_'))
      .slice(0, 22)
    localStorage.setItem(visitorKeyName, key)
    return key
  } catch {
    return undefined
  }
}

const cut = (text: unknown, length: number) => `${text ?? ''}`.slice(0, length)

/** The visitor as the site identifies them. Invalid data is cut or left out: the visitor is not at fault. */
function readVisitor({ visitor: { id, hash } }: Stage): Submission['visitor'] {
  return id ? { id: cut(id, 200), ...(hash && { hash: cut(hash, 64) }) } : undefined
}

/** The complete submission, with a new id. Context is read only now, when the visitor sends. */
export async function buildSubmission(p: Panel): Promise<Submission> {
  const { stage, settings, values, asked } = p
  const { visitor } = stage
  const fields: Record<string, string | boolean> = {}
  for (const { name, kind } of asked) {
    const value = kind === 'checkbox' ? values[name] : readText(p, name)
    if (name[0] === '_' && value) fields[name.slice(1)] = value
  }
  const parts = {
    // The form offers the types of the settings only.
    type: (readText(p, 'type') || (settings.types.length === 1 && settings.types[0]) || 'other') as FeedbackType,
    message: readText(p, 'message'),
    [settings.rating === 'nps' ? 'nps' : 'rating']: values.rating && settings.rating !== 'none' && +values.rating,
    fields: Object.keys(fields)[0] && fields,
    consent: !!settings.consent.text && values.consent,
    email: readText(p, 'email') || (looksLikeEmail(visitor.email) && visitor.email),
    name: cut(readText(p, 'name') || visitor.name, 200),
    page: { url: redactUrl(location.href).slice(0, 4096), ...(document.title && { title: cut(document.title, 400) }) },
    // A page can break anything; the text matters more.
    context: await readContext(stage).catch(() => undefined),
    tags: stage.tags[0] && stage.tags.slice(0, 20).map((tag) => cut(tag, 50)),
    visitor: readVisitor(stage),
    visitorKey: takeVisitorKey(p),
    attachments:
      p.files[0] &&
      p.files.map(({ upload, name, durationMs, missing }) => ({
        id: upload.id,
        kind: upload.kind,
        name: cut(name, 255),
        ...(durationMs && { durationMs: Math.round(durationMs) }),
        ...(missing?.[0] && { missing }),
      })),
    metadata: copyMetadata(stage.metadata),
    guard: {
      elapsedMs: Date.now() - p.started,
      ...(values.website && { website: cut(values.website, 500) }),
    },
  }
  const submission: Record<string, unknown> = { id: createUuidV7() }
  for (const [name, value] of Object.entries(parts)) {
    // A rating of 0 is one; nothing else that is empty is worth sending, but the text, which may be.
    if (value || value === 0 || name === 'message') submission[name] = value
  }
  // `parts` above has the fields of a submission; empty ones are left out.
  return submission as Submission
}
