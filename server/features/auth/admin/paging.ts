import { AuthError } from '../protocol/auth-error.ts'
import { readQuery } from '../protocol/request-body.ts'

/** A page of a list, counted from 1. */
export interface Page {
  readonly number: number
  readonly size: number
}

const defaultSize = 50
// GoTrue has no bound. A larger page would be held in memory whole.
const maxSize = 1000
const maxNumber = 1_000_000_000

/** Reads `page` and `per_page`. @throws AuthError `validation_failed` */
export function readPage(query: unknown): Page {
  return {
    number: Math.min(readCount(query, 'page', 1), maxNumber) || 1,
    size: Math.min(readCount(query, 'per_page', defaultSize) || refuse('per_page must be greater than 0'), maxSize),
  }
}

function readCount(query: unknown, name: string, missing: number): number {
  const text = readQuery(query, name)
  if (text === '') return missing
  return /^\d{1,20}$/.test(text) ? Number(text) : refuse(`${name} must be a whole number`)
}

function refuse(reason: string): never {
  throw new AuthError('validation_failed', { message: `Bad Pagination Parameters: ${reason}` })
}

/**
 * The headers that tell a client how many entries and pages there are. Client libraries parse the `page` of each link,
 * so it comes first.
 *
 * @param url path and query of the request.
 */
export function describePage(url: string, page: Page, total: number): Record<string, string> {
  const [path = '', search = ''] = url.split('?')
  const last = Math.ceil(total / page.size)
  const link = (number: number, rel: string) => {
    const query = new URLSearchParams(search)
    // The URL is repeated to the caller, without an API key in it.
    query.delete('apikey')
    query.delete('page')
    return `<${path}?${new URLSearchParams([['page', String(number)], ...query])}>; rel="${rel}"`
  }
  const links = [...(last > page.number ? [link(page.number + 1, 'next')] : []), link(last, 'last')]
  return { link: links.join(', '), 'x-total-count': String(total) }
}
