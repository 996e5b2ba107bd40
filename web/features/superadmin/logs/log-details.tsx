import type { ReactNode } from 'react'
import type { LogLine } from '#contract/superadmin-logs.ts'
import { formatFullTime } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { listFields } from './list-fields.ts'
import { type LogSearch, wholeLog } from './log-search.ts'
import { showControls } from './show-controls.ts'

interface LogDetailsProps {
  line: LogLine
  onFilter: (change: Partial<LogSearch>) => void
}

/** All of a line, with what leads on from it. */
export function LogDetails({ line, onFilter }: LogDetailsProps) {
  const { id, at, process, requestId, message, fields } = line
  return (
    <div className="flex flex-col gap-3 px-3 pt-1 pb-4">
      <div className="flex flex-wrap gap-2">
        <CopyButton text={JSON.stringify(line, null, 2)} label="Copy as JSON" />
        {requestId !== null && (
          <Button variant="secondary" size="sm" onClick={() => onFilter({ request: requestId })}>
            Filter by request
          </Button>
        )}
        <Button variant="secondary" size="sm" onClick={() => onFilter({ process })}>
          Filter by process
        </Button>
        <Button variant="secondary" size="sm" onClick={() => onFilter({ ...wholeLog, around: id })}>
          Show surrounding lines
        </Button>
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 font-mono text-xs leading-5">
        <Field name="time">
          {formatFullTime(at)} ({at})
        </Field>
        <Field name="message">{showControls(message)}</Field>
        {requestId !== null && <Field name="requestId">{showControls(requestId)}</Field>}
        <Field name="process">{showControls(process)}</Field>
        {listFields(fields).map(([name, text]) => (
          <Field key={name} name={name}>
            {text}
          </Field>
        ))}
      </dl>
    </div>
  )
}

function Field({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="max-w-36 text-muted [overflow-wrap:anywhere]">{name}</dt>
      <dd dir="auto" className="min-w-0 whitespace-pre-wrap text-start text-foreground [overflow-wrap:anywhere]">
        {children}
      </dd>
    </>
  )
}
