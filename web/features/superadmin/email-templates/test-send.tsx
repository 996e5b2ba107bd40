import { useMutation, useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { Link } from 'react-router'
import { type EmailWords, testEmailTemplate } from '#contract/email-templates.ts'
import { getOutboxEmail } from '#contract/superadmin-emails.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

const lookAgainMs = 2_000
const states = {
  queued: 'is queued',
  sent: 'was sent',
  bounced: 'bounced',
  failed: 'failed',
  suppressed: 'was not sent: your address is suppressed',
} as const

interface TestSendProps {
  id: string
  words: EmailWords
  sample: number
}

/** Sends the email, as it is typed, to the superadmin's own address, and says what became of it. */
export function TestSend({ id, words, sample }: TestSendProps) {
  const sending = useMutation({
    mutationFn: () => call(testEmailTemplate, { params: { emailTemplateId: id }, body: { words, sample } }),
    networkMode: 'always',
    retry: false,
    onError: (error) => toast({ title: 'Couldn’t send the test', error, tone: 'danger' }),
  })
  const emailId = sending.data?.emailId
  const { data: email } = useQuery({
    queryKey: ['superadmin', 'emails', 'test', emailId],
    queryFn: ({ signal }) => call(getOutboxEmail, { params: { emailId: emailId ?? '' }, signal }),
    enabled: emailId !== undefined,
    refetchInterval: ({ state }) => (state.data && state.data.status !== 'queued' ? false : lookAgainMs),
    networkMode: 'always',
  })
  return (
    <>
      {sending.data && (
        <output className="text-muted text-sm">
          <Link
            to={`/dashboard/superadmin/email-monitoring/${sending.data.emailId}`}
            className="rounded-sm underline underline-offset-4"
          >
            The test
          </Link>{' '}
          to <bdi>{sending.data.to}</bdi> {states[email?.status ?? 'queued']}
        </output>
      )}
      <Button variant="secondary" loading={sending.isPending} onClick={() => sending.mutate()}>
        <Send aria-hidden="true" />
        Send test
      </Button>
    </>
  )
}
