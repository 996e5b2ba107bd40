import type { Page } from '@playwright/test'

/** Where the browser's own complaints end up: errors of the page, and violations of its content security policy. */
export function collectComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content.Security.Policy|Trusted ?Type/i.test(message.text())) complaints.push(message.text())
  })
  return complaints
}
