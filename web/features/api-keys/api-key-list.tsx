import { RotateCw, Trash2 } from 'lucide-react'
import type { ApiKey } from '#contract/api-keys.ts'
import { formatDay, formatFullTime } from '#web/lib/relative-time.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { describeScopes } from './describe-scopes.ts'

interface ListProps {
  keys: readonly ApiKey[]
  onRegenerate: (key: ApiKey) => void
  onRevoke: (key: ApiKey) => void
}

/** Keys with their last use. Those that no longer work are dimmed. */
export function ApiKeyList({ keys, onRegenerate, onRevoke }: ListProps) {
  return (
    <ul aria-label="API keys" className="divide-y divide-border rounded-md border border-border">
      {keys.map((key) => (
        <li key={key.id} className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
          <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
            <div className="flex min-w-0 flex-wrap items-center gap-2">
              <bdi className={cn('min-w-0 break-words font-medium text-base', isOver(key) && 'text-muted')}>
                {key.name}
              </bdi>
              <StateBadge state={key.state} />
            </div>
            <p className="flex flex-wrap gap-x-2 text-muted text-sm">
              <code className="font-mono">{key.prefix}…</code>
              <span>{describeScopes(key.scopes)}</span>
            </p>
            <Times apiKey={key} />
          </div>
          {!isOver(key) && (
            <div className="flex shrink-0 gap-1 max-sm:-ml-3">
              {key.state === 'active' && (
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={`Regenerate ${key.name}`}
                  onClick={() => onRegenerate(key)}
                >
                  <RotateCw aria-hidden="true" />
                  Regenerate
                </Button>
              )}
              <Button variant="ghost" size="sm" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
                <Trash2 aria-hidden="true" />
                Revoke
              </Button>
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

const isOver = ({ state }: ApiKey) => state === 'expired' || state === 'revoked'

const badges: Partial<Record<ApiKey['state'], { label: string; tone: BadgeTone }>> = {
  overlap: { label: 'Replaced', tone: 'warning' },
  expired: { label: 'Expired', tone: 'neutral' },
  revoked: { label: 'Revoked', tone: 'neutral' },
}

function StateBadge({ state }: Pick<ApiKey, 'state'>) {
  const badge = badges[state]
  return badge ? <Badge tone={badge.tone}>{badge.label}</Badge> : null
}

function Times({ apiKey }: { apiKey: ApiKey }) {
  const { createdAt, createdByName, lastUsedAt, lastUsedIp } = apiKey
  return (
    <p className="flex flex-wrap gap-x-3 text-muted text-sm">
      {lastUsedAt === null ? (
        <span>Never used</span>
      ) : (
        <span>
          Last used <RelativeTime iso={lastUsedAt} /> from {lastUsedIp}
        </span>
      )}
      <span>
        Created <RelativeTime iso={createdAt} />
        {createdByName !== null && <> by {createdByName}</>}
      </span>
      <EndTime apiKey={apiKey} />
    </p>
  )
}

function EndTime({ apiKey: { state, expiresAt, overlapUntil, revokedAt } }: { apiKey: ApiKey }) {
  if (revokedAt !== null) {
    return (
      <span>
        Revoked <RelativeTime iso={revokedAt} />
      </span>
    )
  }
  if (overlapUntil !== null) {
    const words = state === 'expired' ? 'Worked until' : 'Works until'
    return (
      <span>
        {words} <time dateTime={overlapUntil}>{formatFullTime(overlapUntil)}</time>
      </span>
    )
  }
  if (expiresAt === null) return null
  return (
    <span>
      {state === 'expired' ? 'Expired' : 'Expires'}{' '}
      <time dateTime={expiresAt} title={formatFullTime(expiresAt)}>
        {formatDay(expiresAt)}
      </time>
    </span>
  )
}
