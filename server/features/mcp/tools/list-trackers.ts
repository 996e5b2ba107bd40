import Type from 'typebox'
import { nullable } from '#contract/nullable.ts'
import { Uuid } from '#contract/text.ts'
import type { IntegrationsFeature } from '#server/features/integrations/integrations.feature.ts'
import { Quotation, quote, quoteAny } from '../quote.ts'
import { defineTool } from '../tool.ts'

export const createListTrackers = (links: Pick<IntegrationsFeature['links'], 'listTrackers'>) =>
  defineTool({
    name: 'list_trackers',
    title: 'List issue trackers',
    description:
      'List the issue trackers that the team has connected. Pass an id as trackerId to link an item to an issue.',
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({
      trackers: Type.Array(
        Type.Object({
          id: Uuid,
          /** Such as github. */
          type: Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
          /** Only an active one takes issues. */
          state: Type.Enum(['active', 'paused', 'disabled']),
          name: Quotation,
          /** What it is connected to, such as a repository; null: the service does not say. */
          account: nullable(Quotation),
        }),
      ),
    }),
    writes: false,
    run: async ({ actor, organizationId }) => ({
      content: {
        trackers: (await links.listTrackers(actor, organizationId)).map(({ id, type, state, name, account }) => ({
          ...{ id, type, state },
          name: quote('team', name),
          account: quoteAny('unknown', account),
        })),
      },
    }),
  })
