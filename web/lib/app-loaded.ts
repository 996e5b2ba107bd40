const delayMs = 100

/**
 * Says that the app can be used, to tests and to scripts that operators add: by the event `earshot:app-loaded` of the window,
 * and for who listens too late by the attribute `data-app-loaded` of the root element. @returns what takes it back.
 */
export function signalLoaded(): () => void {
  const timer = setTimeout(() => {
    document.documentElement.dataset.appLoaded = ''
    window.dispatchEvent(new Event('earshot:app-loaded'))
  }, delayMs)
  return () => clearTimeout(timer)
}
