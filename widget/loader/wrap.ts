import { onEnd } from './listen.ts'

/** Runs after the original. Its result, if any, replaces the original's. */
type Hook = (args: never, self: never, result: never) => unknown

/**
 * Observes a method of the page without changing it: same `this`, result and exceptions, and a proxy looks like the same
 * function. Errors of the hook are swallowed. `destroy` restores the original, unless other code has wrapped it again.
 */
export function wrap(methods: Record<string, () => unknown>, name: string, hook: Hook): void {
  // The callers name methods that exist in every supported browser.
  const original = methods[name] as () => unknown
  const wrapped = new Proxy(original, {
    apply(method, self, args) {
      const result = Reflect.apply(method, self, args)
      try {
        // Each hook declares what its method is called with and gives.
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
