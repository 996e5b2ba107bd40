import { useSyncExternalStore } from 'react'
import { readStored, removeStored, writeStored } from './storage.ts'

interface DeviceChoice<Value extends string> {
  /** Chooses a value, for every component that uses it. */
  set(value: Value): void
  /** The choice, as a hook; the first value while rendering on the server. */
  useValue(): Value
}

/**
 * A person's choice for this device: kept in the browser, and on the root element for styles.
 *
 * @param options.attribute `theme` stands on the root element as `data-theme`.
 * @param options.values the first applies without a choice, and is neither stored nor on the element.
 */
export function createDeviceChoice<const Value extends string>(options: {
  storageKey: string
  attribute: string
  values: readonly [Value, ...Value[]]
}): DeviceChoice<Value> {
  const { storageKey, attribute, values } = options
  const [standard] = values
  const listeners = new Set<() => void>()
  const read = () => {
    const stored = readStored(storageKey)
    return values.find((value) => value === stored) ?? standard
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    set(value) {
      const { dataset } = document.documentElement
      if (value === standard) {
        removeStored(storageKey)
        delete dataset[attribute]
      } else {
        writeStored(storageKey, value)
        dataset[attribute] = value
      }
      for (const listener of listeners) listener()
    },
    useValue: () => useSyncExternalStore(subscribe, read, () => standard),
  }
}
