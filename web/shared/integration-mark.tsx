import { Bell, Mail, Plug, Webhook } from 'lucide-react'
import type { IntegrationType } from '#contract/integrations.ts'
import { cn } from '#web/ui/class-names.ts'

type Category = IntegrationType['category']

/** In the order of the catalogue. */
export const categoryLabels: Readonly<Record<Category, string>> = {
  chat: 'Chat',
  issues: 'Issue trackers',
  email: 'Email and push',
  automation: 'Automation',
}

const tones: Readonly<Record<Category, string>> = {
  chat: 'bg-info-soft text-info-text',
  issues: 'bg-success-soft text-success-text',
  email: 'bg-warning-soft text-warning-text',
  automation: 'bg-accent-soft text-accent-text',
}

/** For services that are no brand, or whose kind says more than a letter. */
const icons: Readonly<Record<string, typeof Plug>> = { webhook: Webhook, email: Mail, ntfy: Bell }

interface MarkProps {
  /** Undefined: this version of Earshot does not know the service. */
  service: Pick<IntegrationType, 'type' | 'name' | 'category'> | undefined
  className?: string
}

/** The mark of a service: an icon, or the initials of its name. Logos are trademarks and not ours to ship. */
export function IntegrationMark({ service, className }: MarkProps) {
  const Icon = service ? icons[service.type] : Plug
  return (
    <span
      aria-hidden="true"
      className={cn(
        'flex size-10 shrink-0 items-center justify-center rounded-md font-semibold text-base [&_svg]:size-5',
        service ? tones[service.category] : 'bg-sunken text-muted',
        className,
      )}
    >
      {Icon ? <Icon /> : readInitials(service?.name ?? '')}
    </span>
  )
}

/** `GI` for GitHub Issues, `S` for Slack. */
function readInitials(name: string): string {
  return name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
}
