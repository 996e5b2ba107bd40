import { type EmailStatus, emailStatuses, type OutboxFilters } from '#contract/superadmin-emails.ts'

/** Filters, as they stand in the address. */
export interface EmailSearch {
  readonly search: string
  readonly kind: string
  readonly status: EmailStatus | ''
}

/** Of an address that anyone may have written: what is unknown is left out. */
export function readEmailSearch(params: URLSearchParams): EmailSearch {
  const kind = params.get('kind') ?? ''
  return {
    search: (params.get('q') ?? '').slice(0, 254),
    kind: /^[a-z][a-z_]{0,49}$/.test(kind) ? kind : '',
    status: emailStatuses.find((each) => each === params.get('status')) ?? '',
  }
}

export function writeEmailSearch({ search, kind, status }: EmailSearch): Record<string, string> {
  return { ...(search !== '' && { q: search }), ...(kind !== '' && { kind }), ...(status !== '' && { status }) }
}

export function toFilters({ search, kind, status }: EmailSearch): OutboxFilters {
  return { ...(search !== '' && { search }), ...(kind !== '' && { kind }), ...(status !== '' && { status }) }
}

export function isFiltered({ search, kind, status }: EmailSearch): boolean {
  return search !== '' || kind !== '' || status !== ''
}
