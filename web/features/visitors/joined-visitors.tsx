import type { JoinedVisitor } from '#contract/visitor-joins.ts'
import type { Visitor } from '#contract/visitors.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { useVisitorJoins } from './use-visitor-joins.ts'
import { nameVisitor } from './visitor-name.ts'

/** The visitors that were merged into this one, each with a button that separates it. */
export function JoinedVisitors({ visitor }: { visitor: Visitor }) {
  const { can } = useOrganization()
  const { separating } = useVisitorJoins()
  if (visitor.joined.length === 0) return null
  return (
    <Card className="min-w-0">
      <CardHeader>
        <CardTitle>Merged visitors</CardTitle>
      </CardHeader>
      <CardContent className="pt-2">
        <ul aria-label="Merged visitors" className="flex flex-col divide-y divide-border">
          {visitor.joined.map((each) => (
            <li key={each.key} className="flex items-center justify-between gap-3 py-2.5">
              <span className="min-w-0">
                <bdi className="block text-base [overflow-wrap:anywhere]">{nameVisitor(each)}</bdi>
                {nameVisitor(each) !== each.key && (
                  <bdi className="block text-muted text-sm [overflow-wrap:anywhere]">{each.key}</bdi>
                )}
                <JoinCause joined={each} />
              </span>
              {can('manage_feedback') && (
                <Button
                  variant="secondary"
                  size="sm"
                  aria-label={`Separate ${each.key}`}
                  loading={separating.isPending && separating.variables.part === each.key}
                  onClick={() => separating.mutate({ into: visitor.key, part: each.key })}
                >
                  Separate
                </Button>
              )}
            </li>
          ))}
        </ul>
      </CardContent>
    </Card>
  )
}

function JoinCause({ joined: { cause, joinedAt, joinedByName } }: { joined: JoinedVisitor }) {
  return (
    <span className="block text-muted text-sm">
      {cause === 'verified' ? (
        'Automatically: answered by email'
      ) : (
        <>
          By <bdi>{joinedByName ?? 'a former member'}</bdi>
        </>
      )}{' '}
      · <RelativeTime iso={joinedAt} />
    </span>
  )
}
