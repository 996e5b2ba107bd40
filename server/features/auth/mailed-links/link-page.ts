import { html } from '#server/platform/html.ts'
import { renderPlainPage } from '#server/platform/http/plain-page.ts'
import type { LinkType } from './link-type.ts'

const actions: Readonly<Record<LinkType, string>> = {
  signup: 'Confirm email address',
  invite: 'Accept invitation',
  magiclink: 'Sign in',
  recovery: 'Choose a new password',
  email_change: 'Confirm the change',
}

/**
 * The page of a link that a program may have opened: nothing is used up before its button is pressed.
 *
 * @param target path and query to which the button posts.
 */
export function renderLinkPage(type: LinkType, target: string, nonce: string): string {
  const action = actions[type]
  return renderPlainPage(
    { title: action, nonce },
    html`<h1>Continue to Earshot</h1>
<p>Press the button to use the link from your email. This step keeps email scanners from using it up.</p>
<form method="post" action="${target}"><button type="submit" autofocus>${action}</button></form>
<p>You can also enter the code from the email on the Earshot screen that asks for it.</p>`,
  )
}
