import type { Commands, EarshotFunction } from './api.ts'

export type * from './api.ts'

export interface LoadOptions {
  /** The project's public key, `wk_…`. */
  key: string
  /** Address of your Earshot, e.g. `https://earshot.example.com`. */
  host: string
  /** Nonce of the page's content security policy, if it has one. */
  nonce?: string
}

const isBrowser = typeof window === 'object' && typeof document === 'object'

/** The global function, or a stand-in that keeps the calls until the script runs. */
function getFunction(): EarshotFunction {
  const stub = (...call: unknown[]) => {
    stub.q.push(call)
  }
  // An empty list has no element to infer from.
  stub.q = [] as unknown[][]
  // The loader replaces it and makes the calls that it has queued.
  window.earshot ??= stub as EarshotFunction
  return window.earshot
}

function call(name: keyof Commands, ...args: unknown[]): unknown {
  // The exported functions below check the arguments of each command.
  return isBrowser ? (getFunction() as (...call: unknown[]) => unknown)(name, ...args) : undefined
}

/**
 * The commands. They can be called at any time: before the script is there they wait for it; on a server they do
 * nothing.
 */
export const earshot: Commands = {
  open: (mode, prefill, options) => void call('open', mode, prefill, options),
  close: () => void call('close'),
  toggle: () => void call('toggle'),
  isOpen: () => isBrowser && !!window.earshot?.on && !!call('isOpen'),
  show: () => void call('show'),
  hide: () => void call('hide'),
  destroy: () => void call('destroy'),
  identify: (visitor, proof) => void call('identify', visitor, proof),
  clearIdentity: () => void call('clearIdentity'),
  setMetadata: (metadata) => void call('setMetadata', metadata),
  setTags: (tags) => void call('setTags', tags),
  setLocale: (locale) => void call('setLocale', locale),
  setTheme: (theme) => void call('setTheme', theme),
  attachTo: (opener) => void call('attachTo', opener),
  on: (event, listener) => void call('on', event, listener),
  off: (event, listener) => void call('off', event, listener),
  setNonce: (nonce) => void call('setNonce', nonce),
}

interface Policies {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(url: string): string },
    ): { createScriptURL(url: string): string }
  }
}

/** Under Trusted Types a script's address needs a policy, which the page has to allow: `trusted-types earshot`. */
function trust(url: string): string {
  try {
    // TypeScript does not declare Trusted Types.
    const policy = (window as Policies).trustedTypes?.createPolicy('earshot', { createScriptURL: (same) => same })
    return policy ? policy.createScriptURL(url) : url
  } catch {
    return url
  }
}

/**
 * Loads Earshot, once: later calls, and a snippet that is already on the page, change nothing. Returns the commands,
 * which can be called at once. On a server it does nothing.
 */
export function load({ key, host, nonce }: LoadOptions): Commands {
  if (!isBrowser) return earshot
  const url = `${host.replace(/\/+$/, '')}/e/${key}.js`
  const ended = !window.earshot
  getFunction()
  for (const script of document.querySelectorAll('script')) {
    if (script.src !== url) continue
    // Its work was ended by `destroy`; a script element runs once.
    if (ended) script.remove()
    else return earshot
  }
  const script = document.createElement('script')
  script.async = true
  // The stages are fetched without credentials too: so one connection serves all of them.
  script.crossOrigin = 'anonymous'
  if (nonce) script.nonce = nonce
  script.src = trust(url)
  document.head.append(script)
  return earshot
}
