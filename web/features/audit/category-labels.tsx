import {
  Building2,
  Database,
  FolderKanban,
  KeyRound,
  type LucideIcon,
  Plug,
  ShieldCheck,
  ShieldUser,
  Users,
} from 'lucide-react'
import type { AuditCategory } from '#contract/audited-events.ts'

export const categoryLabels: Readonly<Record<AuditCategory, { readonly label: string; readonly icon: LucideIcon }>> = {
  members: { label: 'Members', icon: Users },
  security: { label: 'Sign-in security', icon: ShieldCheck },
  organization: { label: 'Organisation', icon: Building2 },
  projects: { label: 'Projects', icon: FolderKanban },
  keys: { label: 'API keys', icon: KeyRound },
  integrations: { label: 'Integrations', icon: Plug },
  data: { label: 'Exports and deletions', icon: Database },
  superadmin: { label: 'Superadmin access', icon: ShieldUser },
}
