/*
 * Which parameters the pinned API version accepts, read from the type declarations of the installed `stripe` package: they
 * are generated from Stripe's OpenAPI document, so the double follows the SDK when it is updated. The enumerations there
 * also accept any text (`OtherString`), for values that are newer than the SDK; the double accepts the listed ones.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One alternative of a parameter's type. */
export type ParameterType =
  | { readonly kind: 'text' | 'number' | 'boolean' | 'empty' | 'decimal' }
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'list' | 'map'; readonly of: readonly ParameterType[] }
  | { readonly kind: 'object'; readonly shape: () => ParameterShape }

/** Parameters by name. */
export type ParameterShape = ReadonlyMap<string, Parameter>
interface Parameter {
  readonly isRequired: boolean
  readonly types: readonly ParameterType[]
}

type Declaration = { readonly shape: ParameterShape } | { readonly types: readonly ParameterType[] }
type Declarations = Map<string, () => Declaration>

const folder = join(dirname(fileURLToPath(import.meta.resolve('stripe'))), 'resources')
const files = new Map<string, Declarations>()

/**
 * The parameters of one request.
 * @param file of the declaration, such as `Subscriptions`
 * @param name of the interface, such as `SubscriptionCreateParams`
 */
export function readParameterShape(file: string, name: string): ParameterShape {
  const declarations = readFile(`${file}.d.ts`)
  const path = [...declarations.keys()].find((each) => each === name || each.endsWith(`.${name}`)) ?? ''
  const found = declarations.get(path)?.()
  if (!found || !('shape' in found)) throw new Error(`the SDK declares no ${name} in ${file}`)
  return found.shape
}

function readFile(file: string): Declarations {
  const known = files.get(file)
  if (known) return known
  const declarations: Declarations = new Map()
  files.set(file, declarations)
  new DeclarationReader(readFileSync(join(folder, file), 'utf8'), declarations).readAll()
  return declarations
}

/** Reads interfaces, namespaces and type aliases; classes are skipped. */
class DeclarationReader {
  readonly #tokens: readonly string[]
  readonly #declarations: Declarations
  #at = 0

  constructor(source: string, declarations: Declarations) {
    const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^import .*$/gm, '')
    this.#tokens = code.match(/'[^']*'|[\w$]+|\.\.\.|[{}()[\]<>;:,|&?=.]/g) ?? []
    this.#declarations = declarations
  }

  readAll(scope = ''): void {
    while (this.#at < this.#tokens.length && this.#peek() !== '}') {
      const word = this.#next()
      if (word === 'class') this.#skipBlock()
      else if (word === 'namespace') this.#readNamespace(scope)
      else if (word === 'interface') this.#readInterface(scope)
      else if (word === 'type') this.#readAlias(scope)
      else if (word === '{') this.#skipRest()
    }
  }

  #readNamespace(scope: string): void {
    const name = this.#next()
    this.#expect('{')
    this.readAll(join2(scope, name))
    this.#expect('}')
  }

  #readInterface(scope: string): void {
    const name = join2(scope, this.#next())
    const parents: string[] = []
    while (this.#peek() !== '{') {
      const word = this.#next()
      if (word !== 'extends' && word !== ',') parents.push(word)
    }
    const start = this.#at
    this.#skipBlock()
    this.#declareLazily(name, () => {
      const inherited = parents.flatMap((parent) => [...this.#findShape(parent, scope)])
      const shape = this.#rewind(start, () => this.#readMembers(name))
      return { shape: new Map([...inherited, ...shape]) }
    })
  }

  #readAlias(scope: string): void {
    const name = join2(scope, this.#next())
    while (this.#next() !== '=');
    const start = this.#at
    for (let word = this.#next(); word !== ';'; word = this.#next()) if (word === '{') this.#skipRest()
    this.#declareLazily(name, () => ({ types: this.#rewind(start, () => this.#readType(scope)) }))
  }

  #declareLazily(name: string, read: () => Declaration): void {
    let known: Declaration | undefined
    this.#declarations.set(name, () => {
      known ??= read()
      return known
    })
  }

  #readMembers(scope: string): Map<string, Parameter> {
    const members = new Map<string, Parameter>()
    this.#expect('{')
    while (this.#peek() !== '}') {
      const name = this.#next().replaceAll("'", '')
      if (name === '[') while (this.#next() !== ']');
      const isRequired = this.#peek() !== '?' && name !== '['
      if (this.#peek() === '?') this.#next()
      this.#expect(':')
      members.set(name, { isRequired, types: this.#readType(scope) })
      if (this.#peek() === ';') this.#next()
    }
    this.#expect('}')
    return members
  }

  #readType(scope: string): readonly ParameterType[] {
    const types = [...this.#readAlternative(scope)]
    while (this.#peek() === '|') {
      this.#next()
      types.push(...this.#readAlternative(scope))
    }
    return types
  }

  #readAlternative(scope: string): readonly ParameterType[] {
    const word = this.#peek()
    if (word === '{') return [readInline(this.#readMembers(scope))]
    this.#next()
    if (word.startsWith("'")) return [{ kind: 'value', value: word.slice(1, -1) }]
    if (word === 'string') return [{ kind: 'text' }]
    if (word === 'number' || word === 'boolean') return [{ kind: word }]
    if (word === 'null' || word === 'void' || word === 'OtherString') return []
    if (word === 'Decimal') return [{ kind: 'decimal' }]
    if (word === 'Array' || word === 'Emptyable') {
      this.#expect('<')
      const of = this.#readType(scope)
      this.#expect('>')
      return word === 'Array' ? [{ kind: 'list', of }] : [...of, { kind: 'empty' }]
    }
    let path = word
    while (this.#peek() === '.') path += this.#next() + this.#next()
    return this.#find(path, scope)
  }

  #find(path: string, scope: string): readonly ParameterType[] {
    const found = this.#resolve(path, scope)
    // An interface may refer to itself, so its members are read when they are needed.
    if (found && path[0] !== undefined && 'shape' in found) return [readInline(found.shape)]
    return found && 'types' in found ? found.types : []
  }

  #findShape(path: string, scope: string): ParameterShape {
    const found = this.#resolve(path, scope)
    return found && 'shape' in found ? found.shape : new Map()
  }

  #resolve(path: string, scope: string): Declaration | undefined {
    for (let around = scope; ; around = around.slice(0, Math.max(0, around.lastIndexOf('.')))) {
      const found = this.#declarations.get(join2(around, path))
      if (found) return found()
      if (around === '') break
    }
    const shared = readFile('../shared.d.ts')
    return shared === this.#declarations ? undefined : shared.get(path)?.()
  }

  #rewind<Result>(start: number, read: () => Result): Result {
    const back = this.#at
    this.#at = start
    const result = read()
    this.#at = back
    return result
  }

  #skipBlock(): void {
    while (this.#next() !== '{');
    this.#skipRest()
  }

  #skipRest(): void {
    for (let depth = 1; depth > 0; ) {
      const word = this.#next()
      if (word === '{') depth += 1
      if (word === '}') depth -= 1
    }
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? ''
  }

  #next(): string {
    const word = this.#tokens[this.#at]
    if (word === undefined) throw new Error('the declarations end too early')
    this.#at += 1
    return word
  }

  #expect(word: string): void {
    const found = this.#next()
    if (found !== word) throw new Error(`the declarations have ${found} where ${word} is expected`)
  }
}

function join2(scope: string, name: string): string {
  return scope === '' ? name : `${scope}.${name}`
}

/** Members by any name are a map. */
function readInline(members: ParameterShape): ParameterType {
  const any = members.get('[')
  return any ? { kind: 'map', of: any.types } : { kind: 'object', shape: () => members }
}
