/*
 * Joins Tailwind's class names: of two that set the same property, the later wins. Knows the utilities that the app uses;
 * merge-classes.test.ts compares it with tailwind-merge, which knows all of them and is four times as large.
 */

/** Utilities whose name does not begin with their property, or that share their beginning with others. */
const special: readonly (readonly [RegExp, string])[] = [
  [/^(block|inline|inline-block|inline-flex|flex|grid|table|contents|hidden)$/, 'display'],
  [/^(static|fixed|absolute|relative|sticky)$/, 'position'],
  [/^(in)?visible$/, 'visibility'],
  [/^(not-)?sr-only$/, 'sr-only'],
  [/^text-(left|center|right|start|end)$/, 'text-align'],
  [/^text-(wrap|nowrap|balance|pretty)$/, 'text-wrap'],
  [/^text-(xs|sm|base|lg|\d?xl|\[.*\])$/, 'font-size'],
  [/^font-(mono|sans)$/, 'font-family'],
  [/^flex-(row|col)$/, 'flex-direction'],
  [/^flex-(wrap|nowrap)$/, 'flex-wrap'],
  [/^border(-[xytrbl])?(-\d+)?$/, 'border-width$1'],
  [/^border-(dashed|solid|none)$/, 'border-style'],
  [/^border-(collapse|separate)$/, 'border-collapse'],
  [/^outline-none$/, 'outline-style'],
  [/^outline(-\d+)?$/, 'outline-width'],
  [/^-?outline-offset-.*/, 'outline-offset'],
  [/^animate-(pulse|spin)$/, 'animation'],
  [/^ring(-\d+)?$/, 'ring-width'],
  [/^ring-inset$/, 'ring-inset'],
  [/^shadow(-(none|\w+))?$/, 'shadow'],
  [/^stroke-(\d+|\[.*\])$/, 'stroke-width'],
  [/^object-(contain|cover)$/, 'object-fit'],
  [/^divide-[xy]$/, 'divide-width'],
  [/^list-(disc|none)$/, 'list-style'],
  [/^resize(-\w+)?$/, 'resize'],
  [/^isolate$/, 'isolation'],
  [/^underline$/, 'text-decoration'],
  [/^uppercase$/, 'text-transform'],
  [/^tabular-nums$/, 'numbers'],
  [/^transition(-.*)?$/, 'transition'],
  [/^(grow|shrink)(-.*)?$/, '$1'],
  [/^rounded(-(?:[trbl]|[trbl]{2}))?(-.*)?$/, 'rounded$1'],
  [/^\[([\w-]+):.*\]$/, '[$1]'],
]

/** Beginnings of names that are their property. */
const properties = new RegExp(
  `^-?(${[
    'm[xytrbl]?|p[xytrbl]?|size|w|h|min-[wh]|max-[wh]|inset-[xy]|inset|top|right|bottom|left|gap-[xy]|gap|z|order|scroll-m[tb]',
    'grid-cols|grid-rows|col-span|col-start|row-span|row-start|items|self|justify|basis|flex|columns|aspect',
    'overflow-[xy]|overflow|overscroll|opacity|cursor|select|pointer-events|touch|whitespace|break-inside|break|leading',
    'tracking|text|font|underline-offset|line-clamp|bg|border|outline|ring|fill|stroke|accent|divide|object',
    'duration|delay|origin|rotate|translate-[xy]|field-sizing',
  ].join('|')})-`,
)

/** What else a property sets: an earlier utility of these has no effect beside it. */
const parts: Readonly<Record<string, readonly string[]>> = {
  m: ['mx', 'my', 'mt', 'mr', 'mb', 'ml'],
  mx: ['mr', 'ml'],
  my: ['mt', 'mb'],
  p: ['px', 'py', 'pt', 'pr', 'pb', 'pl'],
  px: ['pr', 'pl'],
  py: ['pt', 'pb'],
  size: ['w', 'h'],
  inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
  'inset-x': ['right', 'left'],
  'inset-y': ['top', 'bottom'],
  gap: ['gap-x', 'gap-y'],
  overflow: ['overflow-x', 'overflow-y'],
  flex: ['basis', 'grow', 'shrink'],
  'font-size': ['leading'],
  'line-clamp': ['display', 'overflow'],
  rounded: ['rounded-t', 'rounded-r', 'rounded-b', 'rounded-l'],
  'border-width': ['border-width-x', 'border-width-y', ...[...'trbl'].map((side) => `border-width-${side}`)],
  'border-width-x': ['border-width-r', 'border-width-l'],
  'border-width-y': ['border-width-t', 'border-width-b'],
}

/** The property of a utility without its variants; of a class that is none, its own name. */
function findProperty(utility: string): string {
  for (const [names, property] of special) {
    if (names.test(utility)) return utility.replace(names, property)
  }
  return properties.exec(utility)?.[1] ?? utility
}

/** By class: its variants in any order, and its property. Each class is looked at once. */
const known = new Map<string, { variants: string; property: string }>()

function look(name: string): { variants: string; property: string } {
  const before = known.get(name)
  if (before) return before
  const at = findUtility(name)
  const utility = name.slice(at).replace(/^!|!$/g, '')
  const important = name.slice(at) === utility ? '' : '!'
  const described = {
    variants: name.slice(0, at).split(':').sort().join(':') + important,
    property: findProperty(utility),
  }
  known.set(name, described)
  return described
}

/** Where the variants end: at the last colon outside brackets. */
function findUtility(name: string): number {
  let depth = 0
  let at = 0
  for (let index = 0; index < name.length; index += 1) {
    const letter = name[index]
    if (letter === '[' || letter === '(') depth += 1
    else if (letter === ']' || letter === ')') depth -= 1
    else if (letter === ':' && depth === 0) at = index + 1
  }
  return at
}

/** @param names separated by spaces */
export function mergeClasses(names: string): string {
  const set = new Set<string>()
  const kept: string[] = []
  for (const name of names.split(' ').reverse()) {
    if (name === '') continue
    const { variants, property } = look(name)
    if (set.has(`${variants} ${property}`)) continue
    kept.push(name)
    for (const each of [property, ...(parts[property] ?? [])]) set.add(`${variants} ${each}`)
  }
  return kept.reverse().join(' ')
}
