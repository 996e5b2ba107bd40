import { html } from '#server/platform/html.ts'
import { renderPlainPage } from '#server/platform/http/plain-page.ts'

/**
 * The page that posts a manifest to GitHub, by itself where scripts run.
 *
 * @param handover undefined: the state was used, or has expired.
 */
export function renderHandover(handover: { action: string; manifest: string } | undefined, nonce: string): string {
  if (!handover) {
    return renderPlainPage(
      { title: 'Link expired', nonce },
      html`<h1>Link expired</h1>
<p>This link was used or has expired. Connect GitHub again.</p>
<a href="../../../dashboard/integrations/new/github">Back to Earshot</a>`,
    )
  }
  const { action, manifest } = handover
  return renderPlainPage(
    { title: 'Continue to GitHub', nonce },
    html`<h1>Continue to GitHub</h1>
<p>GitHub asks you to name the App. Then you return to Earshot.</p>
<form method="post" action="${action}"><input type="hidden" name="manifest" value="${manifest}"><button type="submit" autofocus>Continue to GitHub</button></form>
<script nonce="${nonce}">document.forms[0].submit()</script>`,
  )
}
