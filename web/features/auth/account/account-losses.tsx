import { type AccountLosses, accountCountLimit } from '#contract/auth.ts'
import { locale } from '#web/lib/locale.ts'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'

/** Names what ends with the account; undefined: still counting. */
export function AccountLossList({ losses }: { losses: AccountLosses | undefined }) {
  return (
    <div className="rounded-md bg-danger-soft px-4 py-3 text-base text-danger-text">
      <p className="font-medium">Permanently deleted:</p>
      <ul className="mt-1 list-disc pl-5 [overflow-wrap:anywhere]">
        <li>your account, with its sign-ins on every device</li>
        {losses === undefined && <li>organisations without other members, with their projects and feedback</li>}
        {losses?.organizations.map(({ name, projects, items }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and their order never changes
          <li key={index}>
            <bdi>{name}</bdi>: {formatQuantity(projects, 'project')}, {formatItems(items, accountCountLimit)} of
            feedback
          </li>
        ))}
      </ul>
      <p className="mt-2">Your comments in other organisations stay.</p>
    </div>
  )
}

/** Why the account can't be deleted yet. */
export function AccountBlocked({ names }: { names: readonly string[] }) {
  return (
    <p className="text-base [overflow-wrap:anywhere]">
      You are the only owner of <strong>{new Intl.ListFormat(locale).format(names)}</strong>. Make another member an
      owner first.
    </p>
  )
}
