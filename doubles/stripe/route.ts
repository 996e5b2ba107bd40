import type { Account } from './account.ts'
import { checkParameters } from './check-parameters.ts'
import type { FormFields } from './form.ts'
import { expand } from './lists.ts'
import { readParameterShape } from './parameter-types.ts'
import { notImplemented } from './refusal.ts'

/** What a request is about, beside its parameters. */
export interface Call {
  readonly account: Account
  /** Parts of the path. */
  readonly ids: readonly [string, string]
  readonly path: string
}

/** One request of the API. */
export interface Route {
  readonly method: string
  readonly path: RegExp
  /** Checks the parameters. @returns carries the request out @throws StripeRefusal; so may what it returns */
  readonly read: (fields: FormFields) => (call: Call) => object
}

/**
 * Describes a request.
 * @param request method and path, with `{id}` for ids
 * @param declaration file and interface of the SDK with the parameters, such as `Prices PriceListParams`
 * @param implemented the parameters that the double knows, separated by spaces; other documented ones are refused
 */
export function route<Params extends object>(
  request: string,
  declaration: string,
  implemented: string,
  answer: (call: Call, params: Params) => object,
): Route {
  const [method = '', path = ''] = request.split(' ')
  const [file = '', name = ''] = declaration.split(' ')
  const known = new Set(['expand', ...implemented.split(' ')])
  return {
    method,
    path: new RegExp(`^/v1${path.replaceAll('{id}', '([^/]+)')}$`),
    read: (fields) => {
      const given = checkParameters(fields, readParameterShape(file, name))
      const unknown = Object.keys(given).find((key) => !known.has(key))
      if (unknown !== undefined) throw notImplemented(unknown)
      const { expand: paths, ...rest } = given
      return (call) => {
        // Checked against the SDK's declaration of these parameters.
        const response = answer(call, rest as Params)
        return expand(call.account, response, Array.isArray(paths) ? paths.map(String) : [])
      }
    },
  }
}
