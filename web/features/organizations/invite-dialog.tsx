import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createInvitations } from '#contract/invitations.ts'
import { type Role, roles } from '#contract/permissions.ts'
import { maxRecipients } from '#contract/recipients.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatQuantity } from '#web/shared/format-count.ts'
import { roleHint, roleNames } from '#web/shared/role-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { toast } from '#web/ui/toast.tsx'
import { invitationsQuery } from './invitations-query.ts'
import { type RefusedEntry, readPastedList, readRefusedEntries, writeListWithout } from './read-pasted-list.ts'

/** Invites one person or a pasted list by email. For those who may invite. */
export function InviteDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Invite people"
      description="We’ll email each person an invitation that is valid for 7 days."
    >
      <InviteForm onSent={() => onOpenChange(false)} />
    </Dialog>
  )
}

/** The text of the list, its problems, and sending it. */
function useInviting(onSent: () => void) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const [refused, setRefused] = useState<readonly RefusedEntry[]>([])
  const [problem, setProblem] = useState<string>()
  const list = readPastedList(text)
  const sending = useMutation({
    mutationFn: (body: { recipients: string[]; role: Role }) =>
      call(createInvitations, { params: { organizationId: organization.id }, body }),
    networkMode: 'always',
    onSuccess: ({ items }) => {
      void queryClient.invalidateQueries({ queryKey: invitationsQuery(organization.id).queryKey })
      const title = items.length === 1 ? 'Invitation sent' : `${items.length} invitations sent`
      toast({ title, ...(items.length === 1 && { description: items[0]?.email ?? '' }), tone: 'success' })
      onSent()
    },
    onError: (error) => {
      const found = error instanceof ApiError ? readRefusedEntries(list.entries, error) : undefined
      setRefused(found ?? [])
      setProblem(found ? undefined : error.message)
    },
  })
  const change = (typed: string) => {
    setText(typed)
    setRefused([])
    setProblem(undefined)
  }
  const send = (role: Role) => {
    if (sending.isPending) return
    const { entries } = list
    setRefused(list.refused)
    setProblem(entries.length === 0 && !list.problem ? 'Enter at least one email address.' : list.problem)
    const isGood = entries.length > 0 && !list.problem && list.refused.length === 0
    if (isGood) sending.mutate({ recipients: entries.map((each) => each.text), role })
  }
  return { text, change, list, refused, problem, send, isSending: sending.isPending }
}

function InviteForm({ onSent }: { onSent: () => void }) {
  const [role, setRole] = useState<Role>('member')
  const { text, change, list, refused, problem, send, isSending } = useInviting(onSent)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send(role)
  }
  const count = list.entries.length
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Email addresses"
        aside={count > 0 && !list.problem ? formatQuantity(count, 'recipient') : undefined}
        hint={`One a line, or a pasted list of up to ${maxRecipients}. Names are fine: Ada <ada@example.com>`}
        error={problem ?? (refused.length > 0 ? describeRefused(refused) : undefined)}
      >
        {(control) => (
          <Textarea
            {...control}
            autoFocus
            rows={4}
            className="max-h-60"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            placeholder="colleague@example.com"
            value={text}
            onChange={({ currentTarget }) => change(currentTarget.value)}
          />
        )}
      </Field>
      {refused.length > 0 && count > refused.length && (
        <Button
          variant="secondary"
          size="sm"
          className="-mt-1 self-start"
          onClick={() => change(writeListWithout(list.entries, refused))}
        >
          Remove {refused.length === 1 ? 'this entry' : 'these entries'} from the list
        </Button>
      )}
      <Field label="Role" hint={roleHint}>
        {(control) => (
          <Select
            {...control}
            value={role}
            // The options below are the roles.
            onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
          >
            {roles.map((each) => (
              <option key={each} value={each}>
                {roleNames[each]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button type="submit" className="self-end" loading={isSending}>
        {count > 1 && !list.problem ? `Send ${count} invitations` : 'Send invitation'}
      </Button>
    </form>
  )
}

const shownProblems = 8

/** A line for each entry: where it is, what it is, what is wrong with it. */
function describeRefused(refused: readonly RefusedEntry[]): string {
  const lines = refused
    .slice(0, shownProblems)
    .map(({ entry, message }) => `Line ${entry.line}: ${shorten(entry.text)} ${message}.`)
  const more = refused.length - lines.length
  return [...lines, ...(more > 0 ? [`${more} more entries have problems.`] : [])].join('\n')
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
