/** Guides under addresses that they had before, or by which they are asked for: from there to the guide. */
export const movedGuides: Readonly<Record<string, string>> = {
  'azure-boards': 'azure-devops',
  mcp: 'connect-agents',
  'microsoft-teams': 'teams',
  roles: 'members-and-roles',
  supabase: 'bring-your-own-supabase',
}
