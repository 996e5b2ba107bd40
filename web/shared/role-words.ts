import type { Role } from '#contract/permissions.ts'

export const roleNames: Record<Role, string> = { owner: 'Owner', admin: 'Admin', member: 'Member', viewer: 'Viewer' }

/** What a role may do, below a control that selects one. */
export const roleHint =
  'Owners manage members, projects, integrations and the organisation. Admins, members and viewers have the same permissions: feedback, exports, analytics and billing.'
