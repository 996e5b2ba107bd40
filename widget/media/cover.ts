/** Always covered, beside the project's selectors: elements marked by the page, password and payment fields. */
const always =
  '[data-earshot-mask],[type=password],[autocomplete*=password],[autocomplete*=cc-],input[name*=card i],input[name*=cvc i],input[name*=cvv i],input[name*=iban i]'

/**
 * Blackens private elements on the page itself until the signal: a recording shows the page as it is. Selectors unknown
 * to this browser are ignored.
 */
export function coverPrivate(selectors: readonly string[], signal: AbortSignal): void {
  try {
    const sheet = new CSSStyleSheet()
    for (const selector of [always, ...selectors]) {
      try {
        sheet.insertRule(
          `:is(${selector}){background:#000!important;-webkit-text-fill-color:#000!important;filter:brightness(0)!important}`,
        )
        sheet.insertRule(`:is(${selector}) *{visibility:hidden!important}`)
      } catch {}
    }
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    signal.addEventListener('abort', () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    })
  } catch {
    // Safari before 16.4 has no constructed sheets.
  }
}
