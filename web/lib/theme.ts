import { createDeviceChoice } from './device-choice.ts'
import { storageKeys } from './storage.ts'

export type Theme = 'system' | 'light' | 'dark'

/** Runs before the first paint, so that nothing flashes. Without a choice the page follows the system by itself. */
export const themeScript = `try{var t=localStorage.getItem('${storageKeys.theme}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`

export const { set: setTheme, useValue: useTheme } = createDeviceChoice<Theme>({
  storageKey: storageKeys.theme,
  attribute: 'theme',
  values: ['system', 'light', 'dark'],
})
