import { isLate, pause } from './pause.ts'
import { type Assets, fetchFile } from './shot.ts'

/** The page's styles as text, and what the tree must know about them. */
export interface Styles {
  readonly css: string
  /** State pseudo-classes that the selectors name. A picture has no states: they become marks, `[_e~="hover"]`. */
  readonly states: ReadonlySet<string>
  /** Declarations by element that the browser cannot give back as text, at their computed values. */
  readonly lost: ReadonlyMap<Element, string>
  /** Custom properties that keyframes name: browsers do not tell which animation moves which. */
  readonly animated: ReadonlySet<string>
  /** Prepares declarations for the picture: addresses become places of files, viewport units become px. */
  rewrite(declarations: string, base?: string): string
}

const states =
  /:(root|hover|active|focus(?:-visible|-within)?|target|modal|popover-open|open|fullscreen|autofill|user-(?:in)?valid|defined|state\([\w-]+\))(?![\w-])/g

/** Frozen animations need no keyframes; an element's first style would start a transition. */
const unwanted = /^@(-\w+-)?(keyframes|starting|page|view|namespace)/

/** What a picture's own viewport would get wrong, and addresses, which it may not follow. */
const values =
  /url\((['"]?)([^]*?)\1\)|([\s(,:/*+-])(\d*\.?\d+)[sld]?v(w|h|i|b|min|max)\b|(color-scheme:\s*)(light dark|dark light)/g

const plain = (name: string) => name.replace(/["'\s]/g, '').toLowerCase()

const nameFace = (family: string, weight: string, style: string, range: string) =>
  plain([family, weight || 'normal', style || 'normal', range || 'U+0-10FFFF'].join()).replace('400', 'normal')

/** Reads the style sheets of a document as the browser has understood them. Rejects when one cannot be read. */
export async function readStyles(document: Document, assets: Assets, scheme: string): Promise<Styles> {
  const window = document.defaultView as Window & typeof globalThis
  const used = new Set<string>()
  const animated = new Set<string>()
  const lost = new Map<Element, string>()
  const loadedFaces = new Set<string>()
  for (const face of document.fonts) {
    if (face.status === 'loaded') loadedFaces.add(nameFace(face.family, face.weight, face.style, face.unicodeRange))
  }
  const { innerWidth, innerHeight } = window
  const units: Record<string, number> = {
    w: innerWidth,
    i: innerWidth,
    h: innerHeight,
    b: innerHeight,
    min: Math.min(innerWidth, innerHeight),
    max: Math.max(innerWidth, innerHeight),
  }

  const rewrite = (text: string, base = document.baseURI) =>
    text.replace(values, (all, _quote, address: string, before, number, unit, property) => {
      if (property) return property + scheme
      if (unit) return `${before}${(number * (units[unit] as number)) / 100}px`
      const [file, fragment] = new URL(address, base).href.split('#')
      // Parts of the page itself (gradients, masks, filters) are parts of the picture too.
      if (address[0] === '#' || (fragment && file === document.URL.split('#')[0])) return `url("#${fragment}")`
      return /^data:/.test(address) ? all : `url("${assets.holdFile(file as string)}")`
    })

  const rewriteSelector = (selector: string) =>
    selector.replace(states, (_, name) => {
      used.add(name)
      return `[_e~="${name}"]`
    })

  const findMatching = (selector: string): ArrayLike<Element> & Iterable<Element> => {
    try {
      return document.querySelectorAll(selector.replace(/::?(before|after|marker|placeholder|first-l\w+)/g, ''))
    } catch {
      return [document.documentElement]
    }
  }

  const writeFace = ({ style }: CSSFontFaceRule, base: string) => {
    const [family = '', weight = '', slant = '', range = ''] = ['family', 'weight', 'style', 'unicode-range'].map(
      (name) => style.getPropertyValue(name[0] === 'u' ? name : `font-${name}`),
    )
    if (!loadedFaces.has(nameFace(family, weight, slant, range))) return ''
    const source = style.getPropertyValue('src')
    const [file] = source.match(/url\("[^"]*\.woff2?\b[^"]*"\)/) ?? source.match(/url\("[^"]*"\)/) ?? [source]
    return `@font-face{${[...style].map((name) => `${name}:${name === 'src' ? rewrite(file, base) : style.getPropertyValue(name)}`).join(';')}}`
  }

  const writeRules = (rules: CSSRuleList, base: string, nested?: boolean): string => {
    let css = ''
    for (const rule of rules) css += writeRule(rule, base, nested)
    return css
  }

  const writeRule = (rule: CSSRule, base: string, nested?: boolean): string => {
    const { selectorText, style, cssRules, media } = rule as CSSStyleRule & CSSMediaRule
    if (selectorText) {
      let declarations = style.cssText
      // A shorthand with var() followed by one of its longhands: browsers print the others as empty.
      for (const [, name = ''] of declarations.matchAll(/(?:^|\s)(-?[a-z][\w-]*): ;/g)) {
        for (const element of findMatching(selectorText)) {
          const value = window.getComputedStyle(element).getPropertyValue(name)
          lost.set(element, `${lost.get(element) ?? ''};${name}:${value}`)
        }
      }
      if (declarations.includes('url(') && !nested && findMatching(selectorText).length === 0) return ''
      declarations = rewrite(declarations, base)
      return `${rewriteSelector(selectorText)}{${declarations}${cssRules?.length ? writeRules(cssRules, base, true) : ''}}`
    }
    if (unwanted.test(rule.cssText)) {
      for (const [name] of rule.cssText.matchAll(/--[\w-]+(?=:)/g)) animated.add(name)
      return ''
    }
    if (media) return window.matchMedia(media.mediaText).matches ? writeRules(cssRules, base, nested) : ''
    if (rule.constructor.name === 'CSSFontFaceRule') return writeFace(rule as CSSFontFaceRule, base)
    if (!cssRules) return rewrite(rule.cssText, base)
    const { cssText } = rule
    return `${rewriteSelector(cssText.slice(0, cssText.indexOf('{')))}{${writeRules(cssRules, base, nested)}}`
  }

  const writeSheet = async (sheet: CSSStyleSheet, base: string): Promise<string> => {
    if (sheet.disabled || !window.matchMedia(sheet.media.mediaText).matches) return ''
    let rules: CSSRuleList
    try {
      rules = sheet.cssRules
    } catch {
      const copy = new window.CSSStyleSheet()
      copy.replaceSync(await (await fetchFile(base)).text())
      rules = copy.cssRules
    }
    let css = ''
    for (const rule of rules) {
      const { styleSheet, layerName } = rule as CSSImportRule
      if (styleSheet) {
        const imported = await writeSheet(styleSheet, styleSheet.href ?? base)
        css += layerName == null ? imported : `@layer ${layerName}{${imported}}`
      } else css += writeRule(rule, base)
      if (isLate()) await pause()
    }
    return css
  }

  let css = ''
  for (const sheet of [...document.styleSheets, ...(document.adoptedStyleSheets ?? [])]) {
    css += await writeSheet(sheet, sheet.href ?? document.baseURI)
  }
  return { css, states: used, lost, animated, rewrite }
}
