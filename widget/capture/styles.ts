import { readComputed } from './computed.ts'
import { isLate, pause } from './pause.ts'
import type { Rewrite } from './rewrite.ts'
import type { Styles, TakeNote } from './scene.ts'
import { fetchFile } from './shot.ts'

const stateNames =
  /:(root|hover|active|focus[\w-]*|target|modal|popover-open|open|fullscreen|autofill|user-\w+|defined)(?![\w-])/g

/** Selectors by attributes whose values HTML compares without case, as XML does not. */
const withoutCase =
  /(\[(?:accept|align|charset|color|dir|enctype|face|hreflang|http-equiv|lang|media|method|rel|scope|shape|target|type|valign)[~|^$*]?="[^"]*")]/g

/** Names of a font's face as the style sheet or the browser gives them, made comparable. */
const nameFace = (names: readonly string[]) =>
  names
    .join()
    .toLowerCase()
    .replace(/["'\s]|400|normal|u\+0-10ffff/g, '')

/** Elements of a selector, pseudo-elements ignored; the root for one that the browser cannot search by. */
function findMatching(document: Document, selector: string): Iterable<Element> & { length: number } {
  try {
    return document.querySelectorAll(selector.replace(/::[\w-]+/g, ''))
  } catch {
    return [document.documentElement]
  }
}

/**
 * Reads the style sheets of a document as the browser has understood them. Rejects when one cannot be read.
 *
 * @param note keeps declarations that the browser does not give back as text, at their computed values
 */
export async function readStyles(document: Document, rewrite: Rewrite, note: TakeNote): Promise<Styles> {
  // Only documents in a window are drawn; `defaultView` is declared without its constructors.
  const window = document.defaultView as Window & typeof globalThis
  const faces = [...document.fonts].map(
    ({ status, family, weight, style, unicodeRange }) =>
      status === 'loaded' && nameFace([family, weight, style, unicodeRange]),
  )
  const styles: Styles = { css: '', states: new Set(), animated: new Set(), odd: new Set() }

  const rewriteSelector = (selector: string) =>
    selector.replace(withoutCase, '$1 i]').replace(stateNames, (_, name) => {
      styles.states.add(name)
      return `[_e~="${name}"]`
    })

  const writeRules = (rules: Iterable<CSSRule>, base: string): string =>
    [...rules].map((rule) => writeRule(rule, base)).join('')

  const writeRule = (rule: CSSRule, base: string): string => {
    // Other rules give undefined for the properties that they lack.
    const { cssText, selectorText, style, cssRules, media } = rule as CSSStyleRule & CSSMediaRule
    if (selectorText) {
      // A shorthand with var() followed by one of its longhands: browsers print the others as empty.
      for (const [, name = ''] of style.cssText.matchAll(/(?:^|\s)(-?[a-z][\w-]*): ;/g)) {
        for (const element of findMatching(document, selectorText)) {
          note(element).css += `${name}:${readComputed(element).getPropertyValue(name)};`
        }
      }
      if (/p-filter:/.test(cssText) || /fixed/.test(style.backgroundAttachment)) {
        for (const element of findMatching(document, selectorText)) styles.odd.add(element)
      }
      // Rules that match nothing have never loaded their files.
      if (/url\(/.test(cssText) && !/&/.test(selectorText) && !findMatching(document, selectorText).length) return ''
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
      // Of several formats WOFF2, which every supported browser takes.
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
      // Other rules give undefined for these two.
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
