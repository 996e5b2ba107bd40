import type { VisitorListItem } from '#contract/visitors.ts'

/** What a visitor is called: by name, else by address, else by the site's id. */
export function nameVisitor({ name, email, key }: Pick<VisitorListItem, 'name' | 'email' | 'key'>): string {
  return name ?? email ?? key
}

/** Where a visitor's page is. */
export function toVisitorPath(key: string): string {
  return `/dashboard/visitors/${encodeURIComponent(key)}`
}
