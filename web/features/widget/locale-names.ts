import type { WidgetLocale } from '#contract/widget-settings.ts'

/** Each language in its own words. */
export const localeNames: Readonly<Record<WidgetLocale, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  sv: 'Svenska',
  ja: '日本語',
  ar: 'العربية',
  he: 'עברית',
}
