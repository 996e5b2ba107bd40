import { useSyncExternalStore } from 'react'
import { readStored, removeStored, storageKeys, writeStored } from './storage.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Runs before the first paint, so that nothing flashes. Without a choice the page follows the system by itself. */
export const themeScript = `try{var t=localStorage.getItem('${storageKeys.theme}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`

const listeners = new Set<() => void>()

function readTheme(): Theme {
  const stored = readStored(storageKeys.theme)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    removeStored(storageKeys.theme)
    delete document.documentElement.dataset.theme
  } else {
    writeStored(storageKeys.theme, theme)
    document.documentElement.dataset.theme = theme
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The person's choice; `system` while rendering on the server. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme, () => 'system')
}
