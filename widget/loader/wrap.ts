import { onEnd } from './listen.ts'

/** Runs after the original. What it returns, if anything, takes the place of the original's result. */
type Hook = (args: never, self: never, result: never) => unknown

/**
 * Listens in on a method of the page without changing what it does: same `this`, result and exceptions, and to a look
 * from outside the same function, as it is a proxy. Errors of ours stay ours. In the end it is put back, unless somebody
 * has wrapped it again.
 */
export function wrap(methods: Record<string, () => unknown>, name: string, hook: Hook): void {
  const original = methods[name] as () => unknown
  const wrapped = new Proxy(original, {
    apply(method, self, args) {
      const result = Reflect.apply(method, self, args)
      try {
        return hook(args as never, self as never, result as never) ?? result
      } catch {
        return result
      }
    },
  })
  methods[name] = wrapped
  onEnd(() => {
    if (methods[name] === wrapped) methods[name] = original
  })
}
