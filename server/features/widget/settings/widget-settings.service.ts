import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { PayloadOf } from '#contract/events.ts'
import type { WidgetConfig } from '#contract/widget-config.ts'
import type { WidgetSettings } from '#contract/widget-settings.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { IdentityKeys } from '../identity.ts'
import type { WidgetBuild } from '../widget-build.ts'
import { checkSettings } from './check-settings.ts'
import { completeSettings } from './complete-settings.ts'
import {
  findStoredWidget,
  publishDraft,
  raiseIdentityGeneration,
  restorePrevious,
  type StoredWidget,
  setDraft,
} from './widget-settings.queries.ts'

/** Which project's widget is meant. */
interface Place {
  readonly organizationId: string
  readonly projectId: string
}

/** A project's widget as its owner works on it. Every function throws ProductError `project_not_found`. */
export interface WidgetSettingsService {
  get(actor: Actor, place: Place): Promise<WidgetConfig>
  /** @throws ProductError `validation_failed`. */
  saveDraft(actor: Actor, place: Place, settings: WidgetSettings): Promise<WidgetConfig>
  discardDraft(actor: Actor, place: Place): Promise<WidgetConfig>
  /** Without a draft nothing changes, so that it is safe to repeat. */
  publish(actor: Actor, place: Place): Promise<WidgetConfig>
  /**
   * @param publishedAt what to take back (ISO 8601); when that is not what is published, nothing changes.
   * @throws ProductError `nothing_to_undo`.
   */
  undo(actor: Actor, place: Place, publishedAt?: string | null): Promise<WidgetConfig>
  getIdentitySecret(actor: Actor, place: Place): Promise<string>
  rotateIdentitySecret(actor: Actor, place: Place): Promise<string>
}

export function createWidgetSettings(
  database: Database,
  build: WidgetBuild,
  identityKeys: IdentityKeys,
): WidgetSettingsService {
  const textNames = new Set(Object.keys(build.words.en))

  /** Runs a change while the widget is locked, and returns the result. */
  const change = (actor: Actor, place: Place, run: (tx: TenantTx, before: StoredWidget) => Promise<void>) =>
    database.withTenant(actor, async (tx) => {
      await run(tx, await getStored(tx, place, true))
      return toConfig(await getStored(tx, place))
    })

  return {
    get: async (actor, place) => database.withTenant(actor, async (tx) => toConfig(await getStored(tx, place))),

    saveDraft: async (actor, place, settings) => {
      checkSettings(settings, textNames)
      return change(actor, place, (tx, before) => {
        // Unchanged settings leave nothing to publish.
        const isChanged = !isDeepStrictEqual(settings, completeSettings(before.settings))
        const draft = isChanged ? { settings, token: createDraftToken() } : null
        return setDraft(tx, place.organizationId, place.projectId, draft)
      })
    },

    discardDraft: (actor, place) =>
      change(actor, place, (tx) => setDraft(tx, place.organizationId, place.projectId, null)),

    publish: (actor, place) =>
      change(actor, place, async (tx, before) => {
        if (before.draft === null) return
        await publishDraft(tx, place.organizationId, place.projectId, actor.userId)
        await noteAct(tx, place, { action: 'published', fields: listChanged(before.settings, before.draft) })
      }),

    undo: (actor, place, publishedAt) =>
      change(actor, place, async (tx, before) => {
        if (publishedAt !== undefined && publishedAt !== toTime(before.publishedAt)) return
        const isBack = await restorePrevious(tx, place.organizationId, place.projectId, createDraftToken())
        if (!isBack) throw new ProductError('nothing_to_undo')
        await noteAct(tx, place, { action: 'publish_undone' })
      }),

    getIdentitySecret: (actor, place) =>
      database.withTenant(actor, async (tx) => {
        const { identityGeneration } = await getStored(tx, place)
        return identityKeys.readSecret(place.projectId, identityGeneration)
      }),

    rotateIdentitySecret: (actor, place) =>
      database.withTenant(actor, async (tx) => {
        const generation = await raiseIdentityGeneration(tx, place.organizationId, place.projectId)
        if (generation === undefined) throw new ProductError('project_not_found')
        await noteAct(tx, place, { action: 'identity_secret_rotated' })
        return identityKeys.readSecret(place.projectId, generation)
      }),
  }
}

async function noteAct(
  tx: TenantTx,
  { organizationId, projectId }: Place,
  payload: PayloadOf<'widget.configured'>,
): Promise<void> {
  const event = { organizationId, name: 'widget.configured', ids: [projectId], payload } as const
  await recordEvent(tx, { ...event, announced: 'never' })
}

/** Names of settings that differ. */
function listChanged(former: StoredWidget['settings'], draft: NonNullable<StoredWidget['draft']>): string[] {
  const [before, after] = [completeSettings(former), completeSettings(draft)]
  // `Object.keys` gives strings; these are the keys of all settings.
  return (Object.keys(after) as (keyof WidgetSettings)[]).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
}

async function getStored(tx: TenantTx, { organizationId, projectId }: Place, lock = false): Promise<StoredWidget> {
  const stored = await findStoredWidget(tx, organizationId, projectId, lock)
  if (!stored) throw new ProductError('project_not_found')
  return stored
}

function toTime(date: Date | null): string | null {
  return date?.toISOString() ?? null
}

function createDraftToken(): string {
  return randomBytes(17).toString('base64url').slice(0, 22)
}

function toConfig(stored: StoredWidget): WidgetConfig {
  return {
    widgetKey: stored.key,
    published: completeSettings(stored.settings),
    draft: stored.draft && completeSettings(stored.draft),
    draftToken: stored.draftToken,
    publishedAt: toTime(stored.publishedAt),
    publishedBy: stored.publishedBy,
    canUndo: stored.canUndo,
  }
}
