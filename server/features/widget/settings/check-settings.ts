import type { CustomField, WidgetSettings } from '#contract/widget-settings.ts'
import { widgetLocales } from '#contract/widget-settings.ts'
import { ProductError } from '#server/platform/http/product-error.ts'

/**
 * Checks what a schema can't say: ids are used once, choices have choices, texts are texts that there are.
 *
 * @param textNames names of the widget's texts.
 * @throws ProductError `validation_failed` naming each field.
 */
export function checkSettings(settings: WidgetSettings, textNames: ReadonlySet<string>): void {
  const problems = [
    ...settings.fields.flatMap((field, index) => checkField(field, index, settings.fields)),
    ...settings.privacy.mask.flatMap(checkSelector),
    ...checkTexts(settings.texts, textNames),
  ]
  if (problems.length > 0) {
    throw new ProductError('validation_failed', {
      fields: problems.map(([path, message]) => ({ path: `body.${path}`, message })),
    })
  }
}

type Problems = [path: string, message: string][]

function checkField(field: CustomField, index: number, all: readonly CustomField[]): Problems {
  const path = `fields.${index}`
  const problems: Problems = []
  if (all.findIndex(({ id }) => id === field.id) !== index) problems.push([`${path}.id`, 'is used twice'])
  if (field.label.trim() === '') problems.push([`${path}.label`, 'must not be blank'])
  if (field.kind === 'select' && !field.options) problems.push([`${path}.options`, 'must name what can be chosen'])
  if (field.kind !== 'select' && field.options) problems.push([`${path}.options`, 'belong to the kind select only'])
  if (field.options && new Set(field.options).size !== field.options.length) {
    problems.push([`${path}.options`, 'must differ from each other'])
  }
  return problems
}

// The browser has the last word on selectors; here is kept out what can only be a mistake or an attempt to break out.
function checkSelector(selector: string, index: number): Problems {
  // Signs within quotes, and those that are escaped, mean nothing.
  const bare = selector.replaceAll(/\\./g, 'x').replaceAll(/"[^"]*"|'[^']*'/g, 'x')
  const isPlausible = bare.trim() !== '' && !/["'{};@]|\/\*/.test(bare) && isBalanced(bare)
  return isPlausible ? [] : [[`privacy.mask.${index}`, 'must be a CSS selector']]
}

function isBalanced(selector: string): boolean {
  const open: string[] = []
  for (const [sign] of selector.matchAll(/[[\]()]/g)) {
    if (sign === '[' || sign === '(') open.push(sign)
    else if (open.pop() !== (sign === ']' ? '[' : '(')) return false
  }
  return open.length === 0
}

function checkTexts(texts: WidgetSettings['texts'], textNames: ReadonlySet<string>): Problems {
  return Object.entries(texts).flatMap(([locale, own]): Problems => {
    if (!widgetLocales.some((known) => known === locale)) return [[`texts.${locale}`, 'is no language we speak']]
    return Object.keys(own)
      .filter((name) => !textNames.has(name))
      .map((name) => [`texts.${locale}.${name}`, 'is no text of the widget'])
  })
}
