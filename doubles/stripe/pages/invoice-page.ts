/* The hosted page of an invoice, where an open one can be paid, and its PDF. */
import type Stripe from 'stripe'
import { idOf } from '../account.ts'
import { attemptPayment, findPaymentOf } from '../invoices.ts'
import { addPaymentMethod, attachPaymentMethod } from '../payment-methods.ts'
import { formatAmount, formatDay, html, renderCardFields, renderError, renderPage } from './html.ts'
import { type PageReply, type PageRequest, readCard, readRefusal } from './page.ts'
import { renderPdf } from './pdf.ts'

export function answerInvoice({ account, id, form, path }: PageRequest): PageReply {
  const isPdf = path.endsWith('/pdf')
  const own = `${account.baseUrl()}${path.replace(/\/pdf$/, '')}`
  const invoice = account.tables.invoices.list(({ hosted_invoice_url: url }) => url === own)[0]
  if (!invoice || id === '') return { status: 404, html: renderPage('Invoice not found', html``) }
  if (isPdf) return { pdf: renderPdf(listFacts(invoice)) }
  if (!form || invoice.status !== 'open') return { status: 200, html: renderInvoice(invoice, path) }
  const intent = findPaymentOf(account, invoice.id)?.intent
  try {
    const { id: paymentMethod } = addPaymentMethod(account, readCard(account, form))
    const result = attemptPayment(account, invoice, { paymentMethod, isOnSession: true })
    // A declined card is not kept.
    if (result !== 'failed') attachPaymentMethod(account, paymentMethod, idOf(invoice.customer))
    if (result === 'requires_action') return { location: `/3ds/${intent?.client_secret}` }
    if (result === 'paid') return { location: path }
  } catch (error) {
    return { status: 402, html: renderInvoice(invoice, path, readRefusal(error)) }
  }
  const message = intent?.last_payment_error?.message ?? 'Your card was declined.'
  return { status: 402, html: renderInvoice(invoice, path, message) }
}

function renderInvoice(invoice: Stripe.Invoice, path: string, error?: string): string {
  const rows = invoice.lines.data.map(
    (line) => html`<tr><td>${line.description ?? ''}</td><td>${formatAmount(line.amount, invoice.currency)}</td></tr>`,
  )
  const form = html`<form method="post" action="${path}">${renderCardFields()}<button>Pay ${formatAmount(invoice.amount_remaining, invoice.currency)}</button></form>`
  return renderPage(
    `Invoice ${invoice.number ?? ''}`,
    html`${renderError(error)}
      <p>Status: <strong>${invoice.status ?? ''}</strong></p>
      <table>${rows}<tr><td><strong>Total</strong></td><td><strong>${formatAmount(invoice.total, invoice.currency)}</strong></td></tr></table>
      <p><a href="${path}/pdf">Download invoice</a></p>
      ${invoice.status === 'open' ? form : undefined}`,
  )
}

function listFacts(invoice: Stripe.Invoice): string[] {
  return [
    `Invoice ${invoice.number ?? invoice.id}`,
    `${formatDay(invoice.created)}   ${invoice.status ?? ''}`,
    ...invoice.lines.data.map((line) => `${line.description}   ${formatAmount(line.amount, invoice.currency)}`),
    `Total   ${formatAmount(invoice.total, invoice.currency)}`,
  ]
}
