import type { WidgetSettings } from '#contract/widget-settings.ts'

/**
 * Settings as they can be stored, out of what stands in the form: without blank lines and surrounding space. Undefined
 * while something is half typed, such as a question without words; it then stays in the form.
 */
export function prepareSettings(settings: WidgetSettings): WidgetSettings | undefined {
  const fields = settings.fields.map((field) => ({
    ...field,
    label: field.label.trim(),
    ...(field.options && { options: [...new Set(trimLines(field.options))] }),
  }))
  if (fields.some(({ label, kind, options }) => label === '' || (kind === 'select' && !options?.length)))
    return undefined
  if (settings.contactEmail !== '' && !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(settings.contactEmail)) return undefined
  const mask = trimLines(settings.privacy.mask)
  if (!mask.every(isSelector)) return undefined
  return { ...settings, greeting: settings.greeting.trim(), fields, privacy: { ...settings.privacy, mask } }
}

function trimLines(lines: readonly string[]): string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

/** Whether the browser understands it as a CSS selector; on a server anything goes. */
function isSelector(text: string): boolean {
  if (typeof document === 'undefined') return true
  try {
    document.createDocumentFragment().querySelector(text)
    return true
  } catch {
    return false
  }
}
