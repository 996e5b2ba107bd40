import type { EmailTemplateLine } from '#contract/email-templates.ts'
import { Badge } from '#web/ui/badge.tsx'

/** States of a template beside the usual one. */
export function TemplateBadges({ template }: { template: EmailTemplateLine }) {
  const { state, hasNewDefault, isSentBySupabase } = template
  return (
    <>
      {state === 'customised' && <Badge tone="accent">Customised</Badge>}
      {state === 'broken' && <Badge tone="danger">Not used</Badge>}
      {hasNewDefault && <Badge tone="warning">New default</Badge>}
      {isSentBySupabase && <Badge>Sent by Supabase</Badge>}
    </>
  )
}
