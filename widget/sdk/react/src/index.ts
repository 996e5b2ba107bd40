import {
  type Commands,
  type EventName,
  earshot,
  type Listener,
  type LoadOptions,
  type Locale,
  load,
  type Mode,
  type OpenOptions,
  type Prefill,
  type Proof,
  type Theme,
  type Visitor,
} from '@earshot/widget'
import { type ButtonHTMLAttributes, createElement, type ReactElement, useEffect, useRef } from 'react'

export type { Commands, EventName, Listener, Locale, Mode, OpenOptions, Prefill, Proof, Theme, Visitor }

export interface EarshotProps extends Omit<LoadOptions, 'key'> {
  /** The project's public key, `wk_…`. (React keeps `key` for itself.) */
  widgetKey: string
  /** The signed-in visitor; omit when no one is signed in. */
  visitor?: Visitor & Proof
  metadata?: Record<string, unknown>
  tags?: string[]
  locale?: Locale
  theme?: Theme
}

let users = 0

/**
 * Earshot's button and panel, for as long as it is rendered. Render it once, anywhere. It has no output of its own, so it
 * works with server rendering.
 */
export function Earshot({ widgetKey, host, nonce, visitor, metadata, tags, locale, theme }: EarshotProps): null {
  useEffect(() => {
    users++
    load({ key: widgetKey, host, ...(nonce && { nonce }) })
    return () => {
      users--
      // Strict mode, and moving within the tree, unmount it only to mount it again at once.
      setTimeout(() => {
        if (users === 0) earshot.destroy()
      })
    }
  }, [widgetKey, host, nonce])

  // By value: most callers create these objects on every render.
  const said = (value: unknown) => JSON.stringify(value)
  // biome-ignore-start lint/correctness/useExhaustiveDependencies: the objects' texts stand for them.
  useEffect(() => {
    if (visitor) earshot.identify(visitor)
    else earshot.clearIdentity()
  }, [said(visitor)])
  useEffect(() => {
    if (metadata) earshot.setMetadata(metadata)
  }, [said(metadata)])
  useEffect(() => {
    if (tags) earshot.setTags(tags)
  }, [said(tags)])
  // biome-ignore-end lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    if (locale) earshot.setLocale(locale)
  }, [locale])
  useEffect(() => {
    if (theme) earshot.setTheme(theme)
  }, [theme])
  return null
}

/** The commands: always the same object, on a server one that does nothing. */
export function useEarshot(): Commands {
  return earshot
}

/** Calls the listener, always its latest version, while the component is there. */
export function useEarshotEvent<Name extends EventName>(event: Name, listener: Listener<Name>): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const listen: Listener<Name> = (detail) => latest.current(detail)
    earshot.on(event, listen)
    return () => earshot.off(event, listen)
  }, [event])
}

export interface EarshotButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  mode?: Mode
  prefill?: Prefill
}

/** Your own button, with your styles, that opens the panel. */
export function EarshotButton({ mode, prefill, onClick, ...rest }: EarshotButtonProps): ReactElement {
  return createElement('button', {
    type: 'button',
    ...rest,
    onClick(event: Parameters<NonNullable<typeof onClick>>[0]) {
      onClick?.(event)
      if (!event.defaultPrevented) earshot.open(mode, prefill)
    },
  })
}

export interface EarshotInlineProps {
  mode?: Mode
  prefill?: Prefill
  className?: string
}

/** The form as a part of your page, for as long as this is rendered. */
export function EarshotInline({ mode, prefill, className }: EarshotInlineProps): ReactElement {
  const container = useRef<HTMLDivElement>(null)
  const start = useRef(prefill)
  useEffect(() => {
    if (container.current) earshot.open(mode, start.current, { container: container.current })
    return () => earshot.close()
  }, [mode])
  return createElement('div', { ref: container, className })
}
