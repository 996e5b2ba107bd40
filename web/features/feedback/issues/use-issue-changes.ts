import { useMutation, useQueryClient } from '@tanstack/react-query'
import { v7 as uuidV7 } from 'uuid'
import { type IssueLink, linkIssue, unlinkIssue } from '#contract/issue-links.ts'
import { call } from '#web/lib/api.ts'
import { toast } from '#web/ui/toast.tsx'
import { storeOf } from '../feedback-store.ts'
import { keepUndo } from '../undo-changes.ts'
import { issueLinksQuery, type Tracker } from './issue-queries.ts'

interface NewLink {
  tracker: Pick<Tracker, 'id' | 'type'>
  /** Address or number of an issue. Undefined: a new issue is created. */
  reference?: string | undefined
  /** The link that is restored by an undo. */
  former?: IssueLink
}

/** Typed into the form, which shows by itself why the server refuses it. */
const isTyped = ({ reference, former }: NewLink) => reference !== undefined && former === undefined

/** Links one item to issues and removes links: shown at once, and taken back with a message if the server refuses. */
export function useIssueChanges(organizationId: string, item: { id: string; number: number }) {
  const queryClient = useQueryClient()
  const params = { organizationId, feedbackId: item.id }
  const { queryKey } = issueLinksQuery(organizationId, item.id)
  const change = async (next: (links: readonly IssueLink[]) => IssueLink[]) => {
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, (known) => known && { items: next(known.items) })
  }
  const reread = () => queryClient.invalidateQueries({ queryKey })

  const linking = useMutation({
    networkMode: 'always',
    mutationFn: ({ tracker, reference }: NewLink) =>
      call(linkIssue, { params, body: { integrationId: tracker.id, ...(reference !== undefined && { reference }) } }),
    onMutate: async (wanted) => {
      if (!isTyped(wanted)) await change((links) => [...links, wanted.former ?? expectLink(wanted.tracker)])
    },
    onError: (error, wanted) => {
      if (isTyped(wanted)) return
      const title = wanted.former ? 'Couldn’t restore the link' : `Couldn’t create an issue for #${item.number}`
      toast({ tone: 'danger', title, error })
    },
    onSettled: reread,
  })

  const unlinking = useMutation({
    networkMode: 'always',
    mutationFn: ({ id }: IssueLink) => call(unlinkIssue, { params: { ...params, linkId: id } }),
    onMutate: (link) => change((links) => links.filter(({ id }) => id !== link.id)),
    onSuccess: (_, link) => {
      const { integrationId, type, url, label } = link
      const relink = () =>
        linking.mutate({ tracker: { id: integrationId, type }, reference: url ?? undefined, former: link })
      const { undo } = keepUndo(storeOf(queryClient, organizationId), relink)
      toast({
        title: `#${item.number}: link removed`,
        ...(label !== null && { description: label }),
        action: { label: 'Undo', onPress: undo },
      })
    },
    onError: (error) => toast({ tone: 'danger', title: 'Couldn’t remove the link', error }),
    onSettled: reread,
  })

  return {
    create: (tracker: Tracker) => linking.mutate({ tracker }),
    /** @throws ApiError when the server refuses. */
    link: (tracker: Tracker, reference: string) => linking.mutateAsync({ tracker, reference }),
    unlink: (link: IssueLink) => unlinking.mutate(link),
  }
}

/** A link as it stands until the server has answered. */
function expectLink({ id, type }: NewLink['tracker']): IssueLink {
  return {
    id: uuidV7(),
    integrationId: id,
    type,
    state: 'creating',
    label: null,
    title: null,
    url: null,
    status: null,
    isDone: false,
    failure: null,
    syncedAt: null,
  }
}
