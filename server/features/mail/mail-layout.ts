import { type Html, html } from '#server/platform/html.ts'

interface MailItem {
  readonly title: string
  readonly url: string
  /** A user's or visitor's text; absent: not quoted. */
  readonly text?: string
}

/** The content of an email before rendering. One idea, one button. */
export interface MailContent {
  readonly kind: string
  /** The sender's brand, above the card. */
  readonly brand: string
  readonly subject: string
  /** The preview line that mailboxes show beside the subject. */
  readonly preview: string
  readonly title: string
  readonly paragraphs: readonly string[]
  /** Passages of the paragraphs to emphasise: addresses, names. */
  readonly strong: readonly string[]
  /** A person's text, with their line breaks. */
  readonly letter?: string
  /** The text that it replies to. */
  readonly quote?: { readonly intro: string; readonly text: string }
  /** A list of things, each linked to its page on the instance. */
  readonly items?: readonly MailItem[]
  /** Short lines about the thing, behind the list. */
  readonly facts?: readonly { readonly label: string; readonly value: string }[]
  /** The one button; an email with only a code has none. */
  readonly action?: { readonly label: string; readonly url: string }
  /** A code to enter, beside the link or without one. */
  readonly code?: { readonly intro: string; readonly value: string }
  /** Small print under the button. */
  readonly notes: readonly string[]
  /** The instance's own address. */
  readonly appUrl: string
  /** Below the card; the instance's host in it is a link. */
  readonly footer: string
  /** Above the button's address. */
  readonly buttonHelp: string
}

/** An email ready for the outbox. */
export interface RenderedMail {
  readonly kind: string
  readonly subject: string
  readonly html: string
  readonly text: string
  /** What mailboxes show beside the subject. It is a part of the HTML. */
  readonly preview?: string
}

/** Renders the two parts of an email: HTML for light and dark mailboxes, and plain text with the same content. */
export function renderMail(content: MailContent): RenderedMail {
  return {
    kind: content.kind,
    subject: content.subject.replaceAll(/\s+/g, ' ').slice(0, 200),
    html: renderHtml(content),
    text: renderText(content),
    preview: content.preview,
  }
}

function renderText({
  title,
  paragraphs,
  letter,
  quote,
  items = [],
  facts = [],
  action,
  code,
  notes,
  footer,
}: MailContent): string {
  return [
    title,
    ...paragraphs,
    ...(letter === undefined ? [] : [letter]),
    ...(quote ? [`${quote.intro}\n${quote.text.replaceAll(/^/gm, '> ')}`] : []),
    ...items.map(({ title: name, text, url }) =>
      [name, ...(text ? [text.replaceAll(/^/gm, '> ')] : []), url].join('\n'),
    ),
    ...(facts.length > 0 ? [facts.map(({ label, value }) => `${label}: ${value}`).join('\n')] : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(code ? [`${code.intro}\n${code.value}`] : []),
    ...notes,
    `-- \n${footer}`,
  ].join('\n\n')
}

// Mailboxes support little: tables for layout, styles on the elements, and one <style> for those that honour it.
// Dark mode keeps the same contrast (body text at least 7:1, button label 4.5:1 in both). The accent is the app's own, in
// a notation that mail programs know.
const style = `
  @media (prefers-color-scheme: dark) {
    .page { background: #101114 !important }
    .card { background: #191b20 !important; border-color: #2c2f37 !important }
    .strong { color: #f4f5f7 !important }
    .plain { color: #c9ccd4 !important }
    .faint { color: #9a9faa !important }
    .code { background: #23262d !important; color: #f4f5f7 !important }
    .link { color: #65d9d9 !important }
    .line { border-color: #2c2f37 !important }
  }
  @media (max-width: 480px) { .card-cell { padding: 28px 22px !important } }
`

const font = "font-family:Inter,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

const plain = `${font};font-size:16px;line-height:24px;color:#3c4049;margin:0 0 16px`
const faint = `${font};font-size:13px;line-height:20px;color:#6b7080;margin:0 0 8px`

// Keeps line breaks; long words wrap within the email's width.
const written = 'white-space:pre-wrap;word-break:break-word;overflow-wrap:anywhere'

function renderQuote({ intro, text }: { intro: string; text: string }): Html {
  return html`<p class="faint" style="${faint}">${intro}</p>
<blockquote class="faint line" dir="auto" style="${faint};${written};margin:0 0 20px;padding:0 0 0 12px;border-left:3px solid #e3e5ea">${text}</blockquote>`
}

function renderFacts(facts: NonNullable<MailContent['facts']>): Html {
  const cell = `${font};font-size:14px;line-height:20px;padding:2px 0;vertical-align:top`
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 20px">
${facts.map(
  ({ label, value }) =>
    html`<tr><td class="faint" style="${cell};color:#6b7080;padding-right:16px">${label}</td><td class="plain" dir="auto" style="${cell};color:#3c4049;${written}">${value}</td></tr>`,
)}
</table>`
}

function renderItem({ title, url, text }: MailItem): Html {
  return html`<p class="plain" style="${font};font-size:16px;line-height:24px;color:#3c4049;margin:0 0 4px"><a class="link" href="${url}" style="color:#00636e;font-weight:600">${title}</a></p>
${text ? html`<blockquote class="plain line" dir="auto" style="${plain};${written};padding:0 0 0 12px;border-left:3px solid #e3e5ea">${text}</blockquote>` : html`<div style="height:12px"></div>`}`
}

function renderHtml(content: MailContent): string {
  const { brand, subject, preview, title, paragraphs, strong, letter, quote, items = [] } = content
  const { facts = [], action, code, notes, appUrl, footer } = content
  const document = html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${subject}</title>
<style>:root { color-scheme: light dark; supported-color-schemes: light dark }${style}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f5f7;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f5f7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px">
<tr><td class="strong" style="${font};font-size:18px;line-height:24px;font-weight:700;letter-spacing:-0.01em;color:#14161a;padding:0 4px 16px">${brand}</td></tr>
<tr><td class="card card-cell" style="background:#ffffff;border:1px solid #e3e5ea;border-radius:12px;padding:36px 36px 28px">
<h1 class="strong" style="${font};font-size:22px;line-height:28px;font-weight:650;letter-spacing:-0.01em;color:#14161a;margin:0 0 16px">${title}</h1>
${paragraphs.map((paragraph) => html`<p class="plain" style="${plain}">${emphasize(paragraph, strong)}</p>`)}
${letter === undefined ? html`` : html`<p class="plain" dir="auto" style="${plain};${written}">${letter}</p>`}
${quote ? renderQuote(quote) : html``}
${items.map(renderItem)}
${facts.length > 0 ? renderFacts(facts) : html``}
${action ? renderButton(action) : html``}
${code ? renderCode(code) : html``}
${notes.length > 0 || action ? renderSmallPrint(content) : html``}
</td></tr>
<tr><td class="faint" style="${font};font-size:13px;line-height:20px;color:#6b7080;padding:16px 4px 0">${linkHost(footer, appUrl)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
  return document.markup
}

function renderCode({ intro, value }: { intro: string; value: string }): Html {
  return html`<p class="plain" style="${font};font-size:16px;line-height:24px;color:#3c4049;margin:0 0 8px">${intro}</p>
<p class="code" style="font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:24px;line-height:32px;font-weight:600;letter-spacing:0.16em;background:#f4f5f7;color:#14161a;border-radius:8px;padding:10px 16px;margin:0 0 20px;display:inline-block">${value}</p>`
}

function renderButton({ label, url }: { label: string; url: string }): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td style="border-radius:8px;background:#00727e">
<a href="${url}" style="${font};display:inline-block;padding:12px 24px;font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:8px;border:1px solid #00727e">${label}</a>
</td></tr></table>`
}

function renderSmallPrint({ notes, action, appUrl, buttonHelp }: MailContent): Html {
  return html`<div class="line" style="border-top:1px solid #e3e5ea;padding-top:16px">
${notes.map((note) => html`<p class="faint" style="${faint}">${linkOwnPages(note, appUrl)}</p>`)}
${action ? renderAddress(action.url, buttonHelp) : html``}
</div>`
}

function renderAddress(url: string, help: string): Html {
  return html`<p class="faint" style="${faint}">${help}<br><a class="link" href="${url}" style="color:#00636e;word-break:break-all">${url}</a></p>`
}

/** Cuts the text where one of the passages begins or ends, and sets those in strong type. */
function emphasize(text: string, passages: readonly string[]): Html[] {
  const wanted = passages.filter((passage) => passage !== '').sort((a, b) => b.length - a.length)
  if (wanted.length === 0) return [html`${text}`]
  const pattern = new RegExp(`(${wanted.map(escapePattern).join('|')})`)
  return text
    .split(pattern)
    .map((part, index) =>
      index % 2 === 0
        ? html`${part}`
        : html`<strong class="strong" style="font-weight:600;color:#14161a;word-break:break-word">${part}</strong>`,
    )
}

/** The text with each mention of the instance's host as a link. */
function linkHost(text: string, appUrl: string): Html[] {
  const link = html`<a class="link" href="${appUrl}" style="color:#6b7080">${new URL(appUrl).host}</a>`
  return text
    .split(new URL(appUrl).host)
    .flatMap((part, index) => (index === 0 ? [html`${part}`] : [link, html`${part}`]))
}

/** Links URLs of the instance's own pages completely; mailboxes may cut them. */
function linkOwnPages(text: string, appUrl: string): Html[] {
  return text
    .split(new RegExp(`(${escapePattern(appUrl)}/[a-z0-9/-]*)`))
    .map((part, index) =>
      index % 2 === 0 ? html`${part}` : html`<a class="link" href="${part}" style="color:#00636e">${part}</a>`,
    )
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
