import { useMutation, useQueryClient } from '@tanstack/react-query'
import { v7 as uuidV7 } from 'uuid'
import {
  createSavedView,
  deleteSavedView,
  type NewSavedView,
  type SavedView,
  type SavedViewChange,
  updateSavedView,
} from '#contract/views.ts'
import { call } from '#web/lib/api.ts'
import { toast } from '#web/ui/toast.tsx'
import { viewsQuery } from './views-query.ts'

/** Saves, changes and deletes views; the menu follows at once. */
export function useViewChanges(organizationId: string) {
  const queryClient = useQueryClient()
  const { queryKey } = viewsQuery(organizationId)
  const store = (change: (views: SavedView[]) => SavedView[]) =>
    queryClient.setQueryData(queryKey, (data) => data && { items: change(data.items).sort(compareNames) })
  const put = (view: SavedView) => store((views) => [...views.filter(({ id }) => id !== view.id), view])

  const creating = useMutation({
    networkMode: 'always',
    mutationFn: (body: NewSavedView) => call(createSavedView, { params: { organizationId }, body }),
    onSuccess: put,
  })
  const updating = useMutation({
    networkMode: 'always',
    mutationFn: ({ id, change }: { id: string; change: SavedViewChange }) =>
      call(updateSavedView, { params: { organizationId, viewId: id }, body: change }),
    onSuccess: put,
  })
  const removing = useMutation({
    networkMode: 'always',
    mutationFn: (view: SavedView) => call(deleteSavedView, { params: { organizationId, viewId: view.id } }),
    onMutate: (view) => {
      store((views) => views.filter(({ id }) => id !== view.id))
    },
  })

  return {
    create: (body: NewSavedView) => creating.mutateAsync(body),
    update: (view: SavedView, change: SavedViewChange) =>
      updating.mutate(
        { id: view.id, change },
        { onSuccess: ({ name }) => toast({ title: `“${name}” updated`, tone: 'success' }), onError: tell },
      ),
    rename: (id: string, change: SavedViewChange) => updating.mutateAsync({ id, change }),
    remove: (view: SavedView) =>
      removing.mutate(view, {
        onSuccess: () =>
          toast({
            title: `“${view.name}” deleted`,
            action: {
              label: 'Undo',
              onPress: () => {
                const { name, search, isShared } = view
                creating.mutate({ id: uuidV7(), name, search, isShared }, { onError: tell })
              },
            },
          }),
        onError: (error) => {
          put(view)
          tell(error)
        },
      }),
  }
}

function compareNames(a: SavedView, b: SavedView): number {
  return a.name.localeCompare(b.name)
}

function tell(error: Error): void {
  toast({ tone: 'danger', title: 'Couldn’t change the view', error })
}
