import type { VisitorListItem } from '#contract/visitors.ts'

/** A visitor's display name: the name, else the email address, else the site's id. */
export function nameVisitor({ name, email, key }: Pick<VisitorListItem, 'name' | 'email' | 'key'>): string {
  return name ?? email ?? key
}

/** Path of a visitor's page. */
export function toVisitorPath(key: string): string {
  return `/dashboard/visitors/${encodeURIComponent(key)}`
}
