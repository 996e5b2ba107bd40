import type { WidgetSettings } from '#contract/widget-settings.ts'

/** What every group of settings gets: all settings, and how to change some. */
export interface SettingsPartProps {
  readonly settings: WidgetSettings
  readonly change: (part: Partial<WidgetSettings>) => void
}
