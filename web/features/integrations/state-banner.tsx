import { CircleAlert, CirclePause, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Integration } from '#contract/integrations.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { cn } from '#web/ui/class-names.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'

const warnBeforeMs = 30 * 24 * 3600_000

interface BannerProps {
  integration: Integration
  canManage: boolean
}

/** Why an integration does not deliver, and what to do. Nothing while all is well. */
export function StateBanner({ integration, canManage }: BannerProps) {
  const { state, reason, failingSince, credentialsEndAt } = integration
  return (
    <>
      {state === 'failing' && (
        <Banner tone="danger" icon={<CircleAlert />} title="Deliveries are failing">
          {reason} {failingSince !== null && <Since iso={failingSince} />}
          <Advice canManage={canManage}>
            Earshot retries each delivery for more than a day. Check the settings and the receiving service, then send a
            test.
          </Advice>
        </Banner>
      )}
      {state === 'disabled' && (
        <Banner tone="danger" icon={<CircleAlert />} title="Earshot disabled this integration">
          {reason}
          <Advice canManage={canManage}>Fix the cause and send a test. Then enable the integration.</Advice>
        </Banner>
      )}
      {state === 'paused' && (
        <Banner tone="neutral" icon={<CirclePause />} title="This integration is paused">
          Nothing is delivered.
          <Advice canManage={canManage}>
            Waiting deliveries are sent when you resume it. Then replay the events that it missed.
          </Advice>
        </Banner>
      )}
      {credentialsEndAt !== null && Date.parse(credentialsEndAt) - Date.now() < warnBeforeMs && (
        <Banner tone="warning" icon={<Clock />} title={nameEnd(credentialsEndAt)}>
          Deliveries stop without a valid token.
          <Advice canManage={canManage}>
            <Link
              to={`/dashboard/integrations/${integration.id}/edit`}
              className="font-medium underline underline-offset-4"
            >
              Enter a new token
            </Link>
          </Advice>
        </Banner>
      )}
    </>
  )
}

function nameEnd(iso: string): string {
  return `The token ${Date.parse(iso) < Date.now() ? 'expired' : 'expires'} on ${formatDay(iso)}`
}

function Since({ iso }: { iso: string }) {
  return (
    <>
      The first failure was <RelativeTime iso={iso} />.
    </>
  )
}

/** For those who can follow it. */
function Advice({ canManage, children }: { canManage: boolean; children: ReactNode }) {
  return canManage && <p className="mt-1">{children}</p>
}

const tones = {
  danger: 'bg-danger-soft text-danger-text',
  warning: 'bg-warning-soft text-warning-text',
  neutral: 'border border-border bg-sunken text-foreground',
}

function Banner({
  tone,
  icon,
  title,
  children,
}: {
  tone: keyof typeof tones
  icon: ReactNode
  title: string
  children: ReactNode
}) {
  return (
    <section
      aria-label={title}
      className={cn(
        'flex items-start gap-3 rounded-lg px-4 py-3 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0',
        tones[tone],
      )}
    >
      {icon}
      <div className="min-w-0 text-base [overflow-wrap:anywhere]">
        <h2 className="font-medium">{title}</h2>
        <div>{children}</div>
      </div>
    </section>
  )
}
