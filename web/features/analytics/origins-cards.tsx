import type { ReactNode } from 'react'
import type { AnalyticsOrigins, AnalyticsTopValues } from '#contract/analytics.ts'
import { ChartCard } from '#web/ui/charts/chart-card.tsx'
import type { AnalyticsSearch } from './analytics-search.ts'
import { BarList } from './bar-list.tsx'
import { formatCountry, formatPercent } from './format-numbers.ts'
import { linkToInbox } from './inbox-link.ts'

const shownBars = 7

/** Which pages, browsers and countries it came from. */
export function OriginsCards({ origins, search }: { origins: AnalyticsOrigins; search: AnalyticsSearch }) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <TopCard
        title="Pages with the most feedback"
        className="lg:col-span-2"
        noun="Page"
        values={origins.pages}
        others="Other pages"
        // A page is no filter of the inbox, but its words are searched. A star stands for any number.
        show={(page) => <PageLabel page={page} />}
        hrefOf={(page) => linkToInbox(search, { q: findWords(page) })}
      />
      <TopCard title="Browsers" noun="Browser" values={origins.browsers} others="Other and unknown" />
      <TopCard
        title="Countries by browser language"
        noun="Country"
        values={origins.countries}
        others="Unknown country"
        format={formatCountry}
      />
    </div>
  )
}

/** The path first: it tells pages of one site apart, and what does not fit is cut off at the end. */
function PageLabel({ page }: { page: string }) {
  const at = page.indexOf('/')
  const [host, path] = at < 0 ? [page, '/'] : [page.slice(0, at), page.slice(at)]
  return (
    <bdi title={page}>
      {path} <span className="text-muted text-sm">{host}</span>
    </bdi>
  )
}

function findWords(page: string): string {
  return page
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(-4)
    .join(' ')
    .slice(0, 200)
}

function TopCard({
  title,
  noun,
  values,
  others,
  className,
  format = (value) => value,
  show = (value) => <bdi title={format(value)}>{format(value)}</bdi>,
  hrefOf,
}: {
  title: string
  noun: string
  values: AnalyticsTopValues
  others: string
  className?: string
  format?: (value: string) => string
  show?: (value: string) => ReactNode
  hrefOf?: (value: string) => string
}) {
  const all = values.others + values.items.reduce((sum, { total }) => sum + total, 0)
  const previousAll = values.previousOthers + values.items.reduce((sum, { previousTotal }) => sum + previousTotal, 0)
  const shown = values.items.slice(0, shownBars)
  const rest = values.items.slice(shownBars).reduce((sum, { total }) => sum + total, values.others)
  const previousRest = values.items
    .slice(shownBars)
    .reduce((sum, { previousTotal }) => sum + previousTotal, values.previousOthers)
  const known = values.items.some(({ total }) => total > 0)
  return (
    <ChartCard
      title={title}
      {...(className !== undefined && { className })}
      fileName={title.toLowerCase().replaceAll(' ', '-')}
      empty={known ? undefined : 'No data for this period.'}
      table={{
        columns: [noun, 'Items', 'Previous period'],
        rows: [
          ...values.items.map(({ value, total, previousTotal }) => ({
            label: format(value),
            cells: [total, previousTotal],
            href: hrefOf?.(value),
          })),
          { label: others, cells: [values.others, values.previousOthers] },
        ],
      }}
    >
      <BarList
        whole={{ value: all, previous: previousAll }}
        bars={[
          ...shown.map(({ value, total, previousTotal }) => ({
            key: value,
            label: show(value),
            note: formatPercent(all === 0 ? 0 : total / all),
            value: total,
            previous: previousTotal,
            href: hrefOf?.(value),
          })),
          ...(rest > 0
            ? [
                {
                  key: '',
                  label: others,
                  note: formatPercent(rest / all),
                  value: rest,
                  previous: previousRest,
                  isRest: true,
                },
              ]
            : []),
        ]}
      />
    </ChartCard>
  )
}
