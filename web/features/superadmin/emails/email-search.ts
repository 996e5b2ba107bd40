import { type EmailStatus, emailStatuses, type OutboxFilters } from '#contract/superadmin-emails.ts'
import { isUuid } from '#contract/uuid.ts'

/** Filters, as they stand in the address. */
export interface EmailSearch {
  readonly search: string
  readonly kind: string
  readonly status: EmailStatus | ''
  /** Empty: of all. */
  readonly organizationId: string
  readonly isOldestFirst: boolean
}

/** Of an address that anyone may have written: what is unknown is left out. */
export function readEmailSearch(params: URLSearchParams): EmailSearch {
  const kind = params.get('kind') ?? ''
  const organizationId = params.get('organization') ?? ''
  return {
    search: (params.get('q') ?? '').slice(0, 254),
    kind: /^[a-z][a-z_]{0,49}$/.test(kind) ? kind : '',
    status: emailStatuses.find((each) => each === params.get('status')) ?? '',
    organizationId: isUuid(organizationId) ? organizationId : '',
    isOldestFirst: params.get('order') === 'oldest',
  }
}

export function writeEmailSearch({
  search,
  kind,
  status,
  organizationId,
  isOldestFirst,
}: EmailSearch): Record<string, string> {
  return {
    ...(search !== '' && { q: search }),
    ...(kind !== '' && { kind }),
    ...(status !== '' && { status }),
    ...(organizationId !== '' && { organization: organizationId }),
    ...(isOldestFirst && { order: 'oldest' }),
  }
}

export function toFilters({ search, kind, status, organizationId, isOldestFirst }: EmailSearch): OutboxFilters {
  return {
    ...(search !== '' && { search }),
    ...(kind !== '' && { kind }),
    ...(status !== '' && { status }),
    ...(organizationId !== '' && { organizationId }),
    ...(isOldestFirst && { order: 'oldest' }),
  }
}

export function isFiltered({ search, kind, status, organizationId }: EmailSearch): boolean {
  return search !== '' || kind !== '' || status !== '' || organizationId !== ''
}
