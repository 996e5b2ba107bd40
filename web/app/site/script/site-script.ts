/*
 * What public pages do in the browser. It stays small: whatever needs more is loaded when the page has the part for it.
 */
import { hasStoredSession } from '../../../lib/stored-session.ts'
import { leaveForSignIn } from './leave-for-sign-in.ts'

leaveForSignIn()
showWhoIsSignedIn()
document.querySelector('[data-reload]')?.addEventListener('click', () => window.location.reload())
if (document.querySelector('[data-guide]')) void import('./docs.ts').then(({ setUpDocs }) => setUpDocs())
if (document.getElementById('demo-result')) void import('./demo.ts').then(({ setUpDemo }) => setUpDemo())

function showWhoIsSignedIn(): void {
  if (!hasStoredSession()) return
  for (const part of document.querySelectorAll('[data-signed-out]')) part.remove()
  for (const part of document.querySelectorAll('[data-signed-in]')) part.removeAttribute('hidden')
}
