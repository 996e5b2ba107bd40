import { isLate, pause } from './pause.ts'
import { fetchFile, type Shot } from './shot.ts'
import type { Note } from './tree.ts'

/** The page's styles as text, and what the tree must know about them. */
export interface Styles {
  css: string
  /** State pseudo-classes that the selectors name. A picture has no states: they become marks, `[_e~="hover"]`. */
  readonly states: Set<string>
  /** Custom properties that keyframes name: browsers do not tell which animation moves which. */
  readonly animated: Set<string>
  /** Elements that a rule gives a background fixed to the window. */
  readonly fixed: Set<Element>
}

type Rewrite = (declarations: string, base?: string) => string

const stateNames =
  /:(root|hover|active|focus[\w-]*|target|modal|popover-open|open|fullscreen|autofill|user-\w+|defined)(?![\w-])/g

/** What a picture's own viewport would get wrong, and addresses, which it may not follow. */
const values = /url\((['"]?)(.*?)\1\)|([\s(,:/*+-])(\d*\.?\d+)[sld]?v([whib]|min|max)\b/gs

/** Prepares declarations: addresses become files' places, and units of the viewport px. */
export const createRewrite =
  ({ baseURI, defaultView }: Document, hold: Shot['hold']): Rewrite =>
  (text, base = baseURI) =>
    text.replace(values, (all, _quote, address: string, before, number, unit: string) => {
      const { innerWidth, innerHeight } = defaultView as Window
      if (unit) {
        const size = unit[1]
          ? Math[unit as 'min' | 'max'](innerWidth, innerHeight)
          : /[wi]/.test(unit)
            ? innerWidth
            : innerHeight
        return `${before}${(number * size) / 100}px`
      }
      // Parts of the page itself (gradients, masks, filters) are parts of the picture too.
      return /^(data|#)/.test(address) ? all : `url("${hold(new URL(address, base).href)}")`
    })

/** Names of a font's face as the style sheet or the browser gives them, made comparable. */
const nameFace = (names: readonly string[]) =>
  names
    .join()
    .toLowerCase()
    .replace(/["'\s]|400|normal|u\+0-10ffff/g, '')

/**
 * Reads the style sheets of a document as the browser has understood them. Rejects when one cannot be read.
 *
 * @param note keeps declarations that the browser does not give back as text, at their computed values
 */
export async function readStyles(
  document: Document,
  rewrite: Rewrite,
  note: (element: Element) => Note,
): Promise<Styles> {
  const window = document.defaultView as Window & typeof globalThis
  const faces: string[] = []
  for (const { status, family, weight, style, unicodeRange } of document.fonts) {
    if (status === 'loaded') faces.push(nameFace([family, weight, style, unicodeRange]))
  }
  const styles: Styles = { css: '', states: new Set(), animated: new Set(), fixed: new Set() }

  const rewriteSelector = (selector: string) =>
    selector.replace(stateNames, (_, name) => {
      styles.states.add(name)
      return `[_e~="${name}"]`
    })

  const findMatching = (selector: string): Iterable<Element> & { length: number } => {
    try {
      return document.querySelectorAll(selector.replace(/::[\w-]+/g, ''))
    } catch {
      return [document.documentElement]
    }
  }

  const writeRules = (rules: Iterable<CSSRule>, base: string): string => {
    let css = ''
    for (const rule of rules) css += writeRule(rule, base)
    return css
  }

  const writeRule = (rule: CSSRule, base: string): string => {
    const { cssText, selectorText, style, cssRules, media } = rule as CSSStyleRule & CSSMediaRule
    if (selectorText) {
      // A shorthand with var() followed by one of its longhands: browsers print the others as empty.
      for (const [, name = ''] of style.cssText.matchAll(/(?:^|\s)(-?[a-z][\w-]*): ;/g)) {
        for (const element of findMatching(selectorText)) {
          note(element).css += `${name}:${window.getComputedStyle(element).getPropertyValue(name)};`
        }
      }
      if (/fixed/.test(style.backgroundAttachment)) {
        for (const element of findMatching(selectorText)) styles.fixed.add(element)
      }
      // Files of rules that hold for nothing were never loaded.
      if (/url\(/.test(cssText) && !/&/.test(selectorText) && !findMatching(selectorText).length) return ''
      return `${rewriteSelector(selectorText)}{${rewrite(style.cssText, base)}${writeRules(cssRules ?? [], base)}}`
    }
    // Frozen animations need no keyframes; an element's first style would start a transition.
    if (/^@(-\w+-)?keyf|^@start/.test(cssText)) {
      for (const [name] of cssText.matchAll(/--[\w-]+(?=:)/g)) styles.animated.add(name)
      return ''
    }
    if (media) return window.matchMedia(media.mediaText).matches ? writeRules(cssRules, base) : ''
    if (/^@font-face/.test(cssText)) {
      const names = ['font-family', 'font-weight', 'font-style', 'unicode-range']
      if (!faces.includes(nameFace(names.map((name) => style.getPropertyValue(name))))) return ''
      // Of several formats the one that everything of today takes.
      return rewrite(cssText.replace(/src:.*?(url\([^)]*woff2[^)]*\))[^;]*/, 'src:$1'), base)
    }
    return cssRules
      ? `${rewriteSelector(cssText.slice(0, cssText.indexOf('{')))}{${writeRules(cssRules, base)}}`
      : rewrite(cssText, base)
  }

  const writeSheet = async (sheet: CSSStyleSheet, base = sheet.href ?? document.baseURI) => {
    if (sheet.disabled || !window.matchMedia(sheet.media.mediaText).matches) return
    let rules: CSSRuleList
    try {
      rules = sheet.cssRules
    } catch {
      const copy = new window.CSSStyleSheet()
      copy.replaceSync(await (await fetchFile(base)).text())
      rules = copy.cssRules
    }
    for (const rule of rules) {
      const { styleSheet, layerName } = rule as CSSImportRule
      if (styleSheet) {
        if (layerName != null) styles.css += `@layer ${layerName}{`
        await writeSheet(styleSheet)
        if (layerName != null) styles.css += '}'
      } else styles.css += writeRule(rule, base)
      if (isLate()) await pause()
    }
  }

  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) await writeSheet(sheet)
  return styles
}
