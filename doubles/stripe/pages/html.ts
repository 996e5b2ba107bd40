/* The look of the pages, as plain HTML without scripts: forms work by keyboard, colours follow the system. */

/** Text that is HTML already. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | undefined | readonly Html[]

/** HTML of a template; texts in it are escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(parts.map((part, place) => part + show(values[place])).join(''))
}

function show(value: Part): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 30rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.badge { display: inline-block; padding: 0 .5rem; border-radius: .25rem; background: #ffde92; color: #5c3b00; font-size: .8rem; font-weight: 600; }
label { display: block; margin-top: .75rem; }
input, select { box-sizing: border-box; width: 100%; min-height: 2.5rem; padding: .25rem .5rem; font: inherit; }
button { min-height: 2.75rem; margin: 1rem .5rem 0 0; padding: 0 1rem; font: inherit; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; } td { padding: .25rem 0; } td:last-child { text-align: right; }
.error { padding: .5rem .75rem; border-left: 4px solid #c0123c; background: color-mix(in srgb, #c0123c 12%, transparent); }
.hint { opacity: .75; font-size: .9rem; }
`

/** A whole page. */
export function renderPage(title: string, body: Html): string {
  const head = new Html(`<style>${style}</style>`)
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${head}</head><body><main><p><span class="badge">TEST MODE</span></p><h1>${title}</h1>${body}</main></body></html>`
  return page.text
}

/** A message about a form, read out by screen readers. */
export function renderError(message: string | undefined): Html | undefined {
  return message === undefined ? undefined : html`<p class="error" role="alert">${message}</p>`
}

/** Fields for a card. */
export function renderCardFields(): Html {
  return html`
    <label>Card number <input name="card" inputmode="numeric" autocomplete="cc-number" required placeholder="4242 4242 4242 4242"></label>
    <label>Expiry date (MM / YY) <input name="expiry" inputmode="numeric" autocomplete="cc-exp" required placeholder="12 / 34"></label>
    <label>Security code <input name="cvc" inputmode="numeric" autocomplete="cc-csc" required placeholder="123"></label>`
}

/** An amount in the smallest unit. */
export function formatAmount(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100)
}

/** A day in UTC. */
export function formatDay(time: number): string {
  return new Date(time * 1000).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
}
