import { defaultWidgetSettings, type WidgetSettings } from '#contract/widget-settings.ts'

/** Stored settings with the defaults in the place of what is missing: settings that came later, in older rows. */
export function completeSettings(stored: Readonly<Record<string, unknown>>): WidgetSettings {
  const entries = Object.entries(defaultWidgetSettings).map(([name, fallback]) => {
    const value = stored[name]
    if (value === undefined) return [name, fallback]
    return [name, isGroup(fallback) && isGroup(value) ? { ...fallback, ...value } : value]
  })
  // The defaults have every setting; stored values were checked when they were saved.
  return Object.fromEntries(entries) as WidgetSettings
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
