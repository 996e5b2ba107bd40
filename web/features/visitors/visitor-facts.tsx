import { describeBrowser } from '#contract/describe-browser.ts'
import type { Visitor } from '#contract/visitors.ts'
import { locale } from '#web/lib/locale.ts'
import { countedLocationLabels } from '#web/shared/feedback-labels.ts'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { Fact } from '#web/ui/fact.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'

/** A visitor's details beside their messages. */
export function VisitorFacts({ visitor }: { visitor: Visitor }) {
  const { total, limit, locations } = visitor
  const browsers = sumUp(visitor.userAgents.map(({ value, count }) => [describeBrowser(value) ?? 'Unknown', count]))
  return (
    <Card className="min-w-0">
      <CardHeader>
        <CardTitle>Details</CardTitle>
      </CardHeader>
      <CardContent className="pt-3">
        <dl className="flex flex-col divide-y divide-border text-base">
          <Fact name="Items">{total >= limit ? `${limit.toLocaleString(locale)} or more` : total}</Fact>
          <Fact name="Location">
            {Object.entries(countedLocationLabels)
              .flatMap(([location, name]) =>
                locations[location] ? [`${locations[location].toLocaleString(locale)} ${name}`] : [],
              )
              .join(' · ')}
          </Fact>
          <Fact name="Files">{visitor.files}</Fact>
          <Fact name="First seen">
            <RelativeTime iso={visitor.firstSeenAt} />
          </Fact>
          <Fact name="Last seen">
            <RelativeTime iso={visitor.lastSeenAt} />
          </Fact>
          <Values name="Names" values={visitor.names} />
          <Values name="Addresses" values={visitor.emails} />
          <Values name={visitor.isVerified ? 'Ids (verified)' : 'Ids (not verified)'} values={visitor.visitorIds} />
          <Values name="Browsers" values={browsers.map(([value, count]) => `${value} (${count})`)} />
          <Values
            name="Pages"
            values={visitor.pages.map(({ value, count }) => `${value.replace(/^https?:\/\//, '')} (${count})`)}
          />
        </dl>
      </CardContent>
    </Card>
  )
}

function Values({ name, values }: { name: string; values: readonly string[] }) {
  if (values.length === 0) return null
  return (
    <div className="py-2.5">
      <dt className="text-muted">{name}</dt>
      {values.map((value) => (
        <dd key={value} className="mt-1 break-words [overflow-wrap:anywhere]">
          <bdi>{value}</bdi>
        </dd>
      ))}
    </div>
  )
}

function sumUp(values: readonly (readonly [string, number])[]): [string, number][] {
  const sums = new Map<string, number>()
  for (const [value, count] of values) sums.set(value, (sums.get(value) ?? 0) + count)
  return [...sums].sort(([, a], [, b]) => b - a)
}
