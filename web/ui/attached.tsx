import { type Ref, useEffect, useLayoutEffect, useRef } from 'react'

/** Names of React's events whose native ones differ by more than the case: those of the browser that bubble. */
const nativeNames: Readonly<Record<string, string>> = { onFocus: 'focusin', onBlur: 'focusout' }

const triggerAttributes = /^(aria-.*|data-state|id)$/

type Handlers = Record<string, (event: Event) => void>

interface AttachedProps extends Record<string, unknown> {
  element: HTMLElement
  /** Which of Radix's attributes it sets. */
  names?: RegExp
  ref?: Ref<HTMLElement>
}

/**
 * Gives what Radix wants of a trigger to an element that was drawn before Radix was loaded: as the only child of
 * `<Trigger asChild>`. It draws nothing. Handlers are attached to the element, attributes set on it.
 */
export function Attached({ element, names = triggerAttributes, ref, ...props }: AttachedProps) {
  const handlers = useRef<Handlers>({})
  const entries = Object.entries(props)
  // Of Radix's trigger: its functions are handlers of events.
  handlers.current = Object.fromEntries(entries.filter(([, value]) => typeof value === 'function')) as Handlers
  const types = Object.keys(handlers.current).sort().join(' ')
  const attributes = entries.filter(([name, value]) => names.test(name) && value !== null)

  useLayoutEffect(() => {
    if (typeof ref === 'function') {
      const forget = ref(element)
      return () => (typeof forget === 'function' ? forget() : void ref(null))
    }
    if (ref) ref.current = element
    return undefined
  }, [ref, element])

  useEffect(() => {
    const ending = new AbortController()
    for (const name of types.split(' ').filter(Boolean)) {
      const type = nativeNames[name] ?? name.slice(2).toLowerCase()
      element.addEventListener(type, (event) => handlers.current[name]?.(event), { signal: ending.signal })
    }
    return () => ending.abort()
  }, [element, types])

  useLayoutEffect(() => {
    for (const [name, value] of attributes) {
      if (name === 'id' && element.id !== '') continue
      if (value === undefined) element.removeAttribute(name)
      else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value))
    }
  })
  return null
}
