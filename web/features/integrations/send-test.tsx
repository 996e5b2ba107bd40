import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Send } from 'lucide-react'
import { type Delivery, testIntegration } from '#contract/deliveries.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { integrationsKey } from './integrations-query.ts'

/** Sends a test, and the log and the state are read again. */
export function useTest(integrationId: string) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(testIntegration, { params: { organizationId: organization.id, integrationId } }),
    networkMode: 'always',
    onSettled: () => queryClient.invalidateQueries({ queryKey: integrationsKey(organization.id) }),
  })
}

/** Sends a test now, and says how it went. */
export function SendTest({ integrationId }: { integrationId: string }) {
  const test = useTest(integrationId)
  return (
    <div className="flex flex-col items-start gap-3">
      <Button variant="secondary" loading={test.isPending} onClick={() => test.mutate()}>
        <Send aria-hidden="true" />
        Send test
      </Button>
      <TestResult test={test} />
    </div>
  )
}

/** The result of the last test; nothing before there was one. */
export function TestResult({ test: { data, error, isPending } }: { test: ReturnType<typeof useTest> }) {
  if (isPending || (!data && !error)) return null
  const isGood = data?.state === 'delivered'
  const Icon = isGood ? CircleCheck : CircleAlert
  return (
    <p
      role={isGood ? 'status' : 'alert'}
      className={cn(
        'flex w-full items-start gap-2 rounded-md px-3 py-2 text-base [overflow-wrap:anywhere]',
        isGood ? 'bg-success-soft text-success-text' : 'bg-danger-soft text-danger-text',
      )}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{data ? describeTest(data) : error?.message}</span>
    </p>
  )
}

function describeTest({ state, failure, status, durationMs }: Delivery): string {
  if (state !== 'delivered') return `The test was not delivered. ${failure ?? 'The service did not answer.'}`
  const answer = status === null ? 'The service took it' : `The service answered ${status}`
  return `Test delivered. ${answer}${durationMs === null ? '' : ` in ${durationMs} ms`}.`
}
