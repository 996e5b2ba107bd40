/*
 * What public pages do in the browser. It stays small: whatever needs more is loaded when the page has the part for it.
 */
import type { PublicConfig } from '#contract/config.ts'
import { signalLoaded } from '../../../lib/app-loaded.ts'
import { leaveForSignIn } from './leave-for-sign-in.ts'

leaveForSignIn()
signalLoaded()
const config = document.getElementById('public-config')?.textContent
// Written by the server.
if (config) void import('./measure.ts').then(({ measure }) => measure(JSON.parse(config) as PublicConfig))
const contactForm = document.getElementById('contact-form')
if (contactForm instanceof HTMLFormElement) {
  void import('./contact.ts').then(({ setUpContact }) => setUpContact(contactForm))
}
for (const button of document.querySelectorAll('[data-reload]'))
  button.addEventListener('click', () => window.location.reload())
if (document.querySelector('[data-guide]')) void import('./docs.ts').then(({ setUpDocs }) => setUpDocs())
if (document.getElementById('demo-result')) void import('./demo.ts').then(({ setUpDemo }) => setUpDemo())
