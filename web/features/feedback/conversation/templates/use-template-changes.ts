import { useMutation, useQueryClient } from '@tanstack/react-query'
import { v7 as uuidV7 } from 'uuid'
import {
  createReplyTemplate,
  deleteReplyTemplate,
  type NewReplyTemplate,
  type ReplyTemplate,
  type ReplyTemplateChange,
  updateReplyTemplate,
} from '#contract/reply-templates.ts'
import { call } from '#web/lib/api.ts'
import { templatesQuery } from './templates-query.ts'

/** The outcome of a change, and how to undo it. */
export interface TemplateNotice {
  text: string
  isError?: true
  undo?: () => void
}

/**
 * Adds, changes and deletes reply templates.
 * @param onNotice told of changes and deletions. No toast: behind a dialog it cannot be reached.
 */
export function useTemplateChanges(organizationId: string, onNotice: (notice: TemplateNotice | undefined) => void) {
  const queryClient = useQueryClient()
  const { queryKey } = templatesQuery(organizationId)
  const store = (change: (templates: ReplyTemplate[]) => ReplyTemplate[]) =>
    queryClient.setQueryData(queryKey, (data) => data && { items: change(data.items).sort(compareNames) })
  const put = (template: ReplyTemplate) =>
    store((templates) => [...templates.filter(({ id }) => id !== template.id), template])

  const creating = useMutation({
    networkMode: 'always',
    mutationFn: (body: NewReplyTemplate) => call(createReplyTemplate, { params: { organizationId }, body }),
    onSuccess: put,
  })
  const updating = useMutation({
    networkMode: 'always',
    mutationFn: ({ id, change }: { id: string; change: ReplyTemplateChange }) =>
      call(updateReplyTemplate, { params: { organizationId, templateId: id }, body: change }),
    onSuccess: put,
  })
  const removing = useMutation({
    networkMode: 'always',
    mutationFn: ({ id }: ReplyTemplate) => call(deleteReplyTemplate, { params: { organizationId, templateId: id } }),
    onSuccess: (_, { id }) => store((templates) => templates.filter((template) => template.id !== id)),
  })

  const tell = (error: Error) => onNotice({ text: error.message, isError: true })
  return {
    create: (body: NewReplyTemplate) => creating.mutateAsync(body),
    update: async ({ id, name, text }: ReplyTemplate, change: ReplyTemplateChange) => {
      await updating.mutateAsync({ id, change })
      const undo = () => updating.mutate({ id, change: { name, text } }, { onError: tell })
      onNotice({ text: 'Template saved.', undo })
    },
    remove: (template: ReplyTemplate) =>
      removing.mutate(template, {
        onSuccess: () => {
          const { name, text } = template
          const undo = () => creating.mutate({ id: uuidV7(), name, text }, { onError: tell })
          onNotice({ text: `“${name}” deleted.`, undo })
        },
        onError: tell,
      }),
  }
}

function compareNames(a: ReplyTemplate, b: ReplyTemplate): number {
  return a.name.localeCompare(b.name)
}
