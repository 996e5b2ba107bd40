import { useMutation, useQueryClient } from '@tanstack/react-query'
import { v7 as uuidV7 } from 'uuid'
import { addAnnotation, deleteAnnotation } from '#contract/annotations.ts'
import { call } from '#web/lib/api.ts'
import { sendFile } from '#web/lib/send-file.ts'
import { toast, toastDurationsMs } from '#web/ui/toast.tsx'
import { itemKey } from '../query-keys.ts'

/** An annotated picture on its way. The id stays the same over retries. */
interface Drawn {
  readonly id: string
  readonly of: string
  readonly picture: Blob
}

/** Opens the editor on a picture of an item and attaches the result, and deletes annotated pictures. */
export function useAnnotations(organizationId: string, feedbackId: string) {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: itemKey(organizationId, feedbackId) })
  const params = { organizationId, feedbackId }

  const deleting = useMutation({
    mutationFn: (annotationId: string) => call(deleteAnnotation, { params: { ...params, annotationId } }),
    networkMode: 'always',
    onSuccess: refresh,
    onError: ({ message }) => {
      toast({ title: 'Couldn’t delete the annotated picture', description: message, tone: 'danger' })
    },
  })

  const attaching = useMutation({
    mutationFn: ({ id, of, picture }: Drawn) => sendFile(addAnnotation, { params, query: { id, of } }, picture),
    networkMode: 'always',
    onSuccess: (_, { id }) => {
      toast({
        title: 'Annotated picture attached',
        tone: 'success',
        action: { label: 'Undo', onPress: () => deleting.mutate(id) },
      })
      return refresh()
    },
    onError: ({ message }, drawn) => {
      toast({
        title: 'Couldn’t attach the annotated picture',
        description: message,
        tone: 'danger',
        durationMs: toastDurationsMs.long,
        action: { label: 'Try again', onPress: () => attaching.mutate(drawn) },
      })
    },
  })

  const opening = useMutation({
    mutationFn: async ({ of, url, onReady }: { of: string; url: string; onReady: () => void }) => {
      // The editor is loaded by those who annotate.
      const { annotatePicture } = await import('./annotate-picture.ts')
      const picture = await annotatePicture(url, onReady)
      if (picture) attaching.mutate({ id: uuidV7(), of, picture })
    },
    networkMode: 'always',
    retry: false,
    onError: ({ message }) => toast({ title: 'Couldn’t annotate the picture', description: message, tone: 'danger' }),
  })

  return { opening, attaching, deleting }
}
