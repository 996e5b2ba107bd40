/**
 * Who may do what in an organisation. This table is the single source: the server's guards, the database's policy
 * tests and the web app all read it. A superadmin holds every permission everywhere.
 */
export const roles = ['owner', 'admin', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

const everyone = roles
const ownerOnly = ['owner'] as const

const permissions = {
  manage_team: ownerOnly,
  manage_projects: ownerOnly,
  manage_organization: ownerOnly,
  manage_integrations: ownerOnly,
  invite_members: ownerOnly,
  remove_members: ownerOnly,
  change_roles: ownerOnly,
  delete_organization: ownerOnly,
  manage_feedback: everyone,
  comment_feedback: everyone,
  export_feedback: everyone,
  delete_feedback: everyone,
  view_feedback: everyone,
  view_analytics: everyone,
  view_projects: everyone,
  manage_billing: everyone,
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissions

/** Whether a member with this role (or a superadmin) holds the permission. */
export function isAllowed(role: Role | undefined, permission: Permission, isSuperadmin = false): boolean {
  if (isSuperadmin) return true
  const allowed: readonly Role[] = permissions[permission]
  return role !== undefined && allowed.includes(role)
}
