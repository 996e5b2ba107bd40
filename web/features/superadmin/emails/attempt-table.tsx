import type { OutboxEmailDetail } from '#contract/superadmin-emails.ts'
import { formatFullTime } from '#web/lib/relative-time.ts'

/** When Earshot tried to send an email, and what the mail server answered. */
export function AttemptTable({ attempts }: { attempts: OutboxEmailDetail['history'] }) {
  if (attempts.length === 0) return <p className="text-base text-muted">No attempts are recorded.</p>
  return (
    <div className="overflow-hidden rounded-lg border border-border bg-surface shadow-sm">
      <table className="w-full text-left text-base">
        <caption className="px-4 pt-3 text-left font-semibold">Attempts</caption>
        <thead className="text-muted text-sm">
          <tr className="border-border border-b">
            <th scope="col" className="px-4 py-2 font-medium">
              Time
            </th>
            <th scope="col" className="px-4 py-2 font-medium">
              Answer of the mail server
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {attempts.map(({ number, at, answer }) => (
            <tr key={number} className="align-top">
              <td className="px-4 py-2 tabular-nums">
                <time dateTime={at}>{formatFullTime(at)}</time>
              </td>
              <td className="px-4 py-2 [overflow-wrap:anywhere]">{answer ?? 'Accepted'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
