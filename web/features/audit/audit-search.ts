import type { AuditFilters } from '#contract/audit.ts'
import { type AuditCategory, auditCategories } from '#contract/audited-events.ts'
import { isUuid } from '#contract/uuid.ts'
import { startOfDay } from '#web/lib/date-style.ts'

/** What the screen shows, as it stands in the address. Empty texts: no filter. */
export interface AuditSearch {
  /** A user's id, or `system`. */
  readonly actor: string
  readonly category: AuditCategory | ''
  readonly target: string
  /** Days as `2026-01-31` in the person's time zone, both included. */
  readonly from: string
  readonly to: string
  /** In the log of the instance: one organisation's id, or the nil id for changes of the instance. */
  readonly organization: string
  /** In the log of the instance: words of names and actions. */
  readonly q: string
  /** In the log of the instance: what a superadmin did as someone else. */
  readonly impersonation: string
  /** In the log of the instance. Empty: the latest first. */
  readonly order: 'oldest' | ''
}

const maxWordsLength = 200

/** A search without filters. */
export const wholeLog: AuditSearch = {
  ...{ actor: '', category: '', target: '', from: '', to: '' },
  ...{ organization: '', q: '', impersonation: '', order: '' },
}

/** Reads an address. Unknown values are left out, so that any link opens. */
export function readAuditSearch(search: URLSearchParams): AuditSearch {
  const read = (name: string, isKnown: (value: string) => boolean) => {
    const value = search.get(name) ?? ''
    return isKnown(value) ? value : ''
  }
  return {
    actor: read('actor', (value) => value === 'system' || isUuid(value)),
    category: auditCategories.find((each) => each === search.get('category')) ?? '',
    target: read('target', isUuid),
    from: read('from', isDay),
    to: read('to', isDay),
    organization: read('organization', isUuid),
    q: search.get('q')?.slice(0, maxWordsLength) ?? '',
    impersonation: read('impersonation', isUuid),
    order: search.get('order') === 'oldest' ? 'oldest' : '',
  }
}

/** The parameters of the address; none for a search without filters. */
export function writeAuditSearch(search: AuditSearch): Record<string, string> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''))
}

export function isFiltered({ order: _, ...filters }: AuditSearch): boolean {
  return Object.values(filters).some((value) => value !== '')
}

/** The filters of the API: days begin and end in the person's time zone. */
export function toAuditFilters({ actor, category, target, from, to }: AuditSearch): AuditFilters {
  return {
    ...(actor === 'system' && { actorKind: 'system' }),
    ...(isUuid(actor) && { actorId: actor }),
    ...(category !== '' && { category }),
    ...(target !== '' && { targetId: target }),
    ...(from !== '' && { from: beginDay(from, 0) }),
    ...(to !== '' && { to: beginDay(to, 1) }),
  }
}

function beginDay(text: string, addedDays: number): string {
  const [year = 0, month = 1, day = 1] = text.split('-').map(Number)
  return startOfDay({ year, month, day: day + addedDays }).toISOString()
}

function isDay(text: string): boolean {
  if (!/^(19|20)\d{2}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}
