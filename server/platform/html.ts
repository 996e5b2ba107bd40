/** Markup that is safe to send: made by {@link html} alone. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

/** Template tag for markup. Every value is escaped for text and quoted attributes unless it is markup itself. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(toMarkup)))
}

function toMarkup(value: string | number | Html | readonly Html[]): string {
  if (value instanceof Html) return value.markup
  if (typeof value === 'object') return value.map((part) => part.markup).join('')
  return String(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
