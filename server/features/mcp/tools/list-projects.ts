import Type from 'typebox'
import { nullable } from '#contract/nullable.ts'
import { Timestamp, Uuid } from '#contract/text.ts'
import type { Projects } from '#server/features/projects/projects.service.ts'
import { Quotation, quote } from '../quote.ts'
import { defineTool } from '../tool.ts'

export const createListProjects = (projects: Pick<Projects, 'list'>) =>
  defineTool({
    name: 'list_projects',
    title: 'List projects',
    description: 'List the websites whose feedback you can read. Pass an id as projectId to list or search one alone.',
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({
      projects: Type.Array(
        Type.Object({
          id: Uuid,
          name: Quotation,
          domain: Quotation,
          feedbackCount: Type.Integer(),
          archivedAt: nullable(Timestamp),
        }),
      ),
    }),
    writes: false,
    // Of a key, row-level security shows its own project alone.
    run: async ({ actor, organizationId }) => ({
      content: {
        projects: (await projects.list(actor, organizationId)).map((project) => ({
          id: project.id,
          name: quote('team', project.name),
          domain: quote('team', project.domain),
          feedbackCount: project.feedbackCount,
          archivedAt: project.archivedAt,
        })),
      },
    }),
  })
