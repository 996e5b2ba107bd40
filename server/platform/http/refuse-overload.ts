import type { ServerResponse } from 'node:http'
import { ProductError, toProblem } from './product-error.ts'

const retryAfterSeconds = 5

/** Where the request id goes in {@link body}. */
const idPlace = '00000000-0000-0000-0000-000000000000'
const [bodyStart = '', bodyEnd = ''] = JSON.stringify(toProblem(new ProductError('unavailable'), idPlace)).split(
  idPlace,
)
const headers: readonly string[] = [
  'content-type',
  'application/problem+json; charset=utf-8',
  'content-length',
  // ASCII: the table's words and a UUID.
  String(bodyStart.length + idPlace.length + bodyEnd.length),
  'cache-control',
  'no-store',
  'retry-after',
  String(retryAfterSeconds),
]

/**
 * Makes the function that answers 503. Beyond what a server sustains most answers are refusals, and each takes from the work
 * on what is accepted: so only the request id is made for each, and the request's body is not read.
 *
 * @param further names and values in turn: headers that any answer of the route has.
 */
export function makeRefusal(further: readonly string[]): (response: ServerResponse, requestId: string) => void {
  const all = [...headers, ...further, 'x-request-id']
  return (response, requestId) => {
    // An array is sent as it is; of an object, Node checks and copies each header.
    response.writeHead(503, [...all, requestId]).end(`${bodyStart}${requestId}${bodyEnd}`, 'latin1')
  }
}
