import { queryOptions } from '@tanstack/react-query'
import { getWidget, getWidgetTexts } from '#contract/widget-config.ts'
import type { WidgetLocale } from '#contract/widget-settings.ts'
import { call } from '#web/lib/api.ts'

/** A project's widget: what is published, and what is being worked on. */
export function widgetQuery(organizationId: string, projectId: string) {
  return queryOptions({
    queryKey: ['widget', organizationId, projectId],
    queryFn: ({ signal }) => call(getWidget, { params: { organizationId, projectId }, signal }),
    refetchOnWindowFocus: false,
    networkMode: 'always',
  })
}

/** Our own words in one language. */
export function textsQuery(locale: WidgetLocale) {
  return queryOptions({
    queryKey: ['widget-texts', locale],
    queryFn: async ({ signal }) => (await call(getWidgetTexts, { params: { locale }, signal })).texts,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  })
}
