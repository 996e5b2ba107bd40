import Type from 'typebox'
import { line, Uuid } from '#contract/text.ts'
import type { IntegrationsFeature } from '#server/features/integrations/integrations.feature.ts'
import { AgentIssue, toIssue } from '../agent-issue.ts'
import { defineTool } from '../tool.ts'

/** An issue's text is the item's, as members create it: an agent adds no words of its own to what may be public. */
export const createLinkIssue = (links: Pick<IntegrationsFeature['links'], 'link'>) =>
  defineTool({
    name: 'link_issue',
    title: 'Link an issue',
    description:
      'Link a feedback item to an issue of a connected tracker: to an existing one that you name, or to a new one that is created from the item. Status and comments then stay alike on both sides. The answer does not wait for the tracker: read the item again to see the issue.',
    input: Type.Object(
      {
        id: Uuid,
        /** From list_trackers. */
        trackerId: Uuid,
        /** Address or number of an existing issue. Without it, a new issue is created. */
        reference: Type.Optional(line({ minLength: 1, maxLength: 500 })),
      },
      { additionalProperties: false },
    ),
    output: AgentIssue,
    writes: true,
    reachesOut: true,
    run: async ({ actor, organizationId }, { id: feedbackId, trackerId: integrationId, ...wanted }) => ({
      content: toIssue(await links.link(actor, { organizationId, feedbackId }, { integrationId, ...wanted })),
    }),
  })
