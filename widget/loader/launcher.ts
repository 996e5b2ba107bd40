import css from './launcher.css'

/*
 * The button in the shadow root that it shares with the panel. Everything is made by DOM calls and a constructed sheet:
 * under Trusted Types innerHTML throws, and under a strict CSP style attributes and elements are dropped. Names are
 * neutral because ad-block lists hide elements by name. Safari before 16.4 has no constructed sheets: there the script
 * ends here.
 */

export const host = document.createElement('div')
export const button = document.createElement('button')

const sheet = new CSSStyleSheet()
const root = host.attachShadow({ mode: 'open' })
sheet.replaceSync(css)
root.adoptedStyleSheets = [sheet]
root.append(button)
button.className = 'go'
