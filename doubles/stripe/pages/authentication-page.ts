/* 3-D Secure: the bank asks the customer, who completes or fails. */
import { idOf } from '../account.ts'
import { finishAuthentication } from '../invoices.ts'
import { html, renderPage } from './html.ts'
import type { PageReply, PageRequest } from './page.ts'

/** The question; its answer is posted as `authentication`: `complete` or `fail`. */
export function renderAuthentication(path: string): string {
  return renderPage(
    '3D Secure 2 Test Page',
    html`<p>This is a test 3D Secure 2 authentication. In live mode, the customer’s bank shows this page.</p>
      <form method="post" action="${path}">
        <button name="authentication" value="complete">Complete</button>
        <button name="authentication" value="fail">Fail</button>
      </form>`,
  )
}

/** The page of a payment intent, by its client secret. */
export function answerAuthentication({ account, id, form, path }: PageRequest): PageReply {
  const intent = account.tables.paymentIntents.list(({ client_secret: secret }) => secret === id)[0]
  if (!intent) return { status: 404, html: renderPage('Payment not found', html``) }
  if (form && intent.status === 'requires_action') {
    finishAuthentication(account, intent, form.get('authentication') === 'complete')
  } else if (intent.status === 'requires_action') return { status: 200, html: renderAuthentication(path) }
  const payment = account.tables.invoicePayments.list((each) => each.payment.payment_intent === intent.id)[0]
  return { location: account.tables.invoices.get(idOf(payment?.invoice)).hosted_invoice_url ?? '/' }
}
