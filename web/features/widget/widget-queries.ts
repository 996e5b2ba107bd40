import { queryOptions } from '@tanstack/react-query'
import { getIdentitySecret, getWidget, getWidgetTexts } from '#contract/widget-config.ts'
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

/** The widget's default texts in one language. */
export function textsQuery(locale: WidgetLocale) {
  return queryOptions({
    queryKey: ['widget-texts', locale],
    queryFn: async ({ signal }) => (await call(getWidgetTexts, { params: { locale }, signal })).texts,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  })
}

/** The secret by which a project's site vouches for its visitors. Not kept longer than it is looked at. */
export function identitySecretQuery(organizationId: string, projectId: string) {
  return queryOptions({
    queryKey: ['identity-secret', organizationId, projectId],
    queryFn: ({ signal }) => call(getIdentitySecret, { params: { organizationId, projectId }, signal }),
    gcTime: 0,
    networkMode: 'always',
  })
}
