import { CopyButton } from './copy-button.tsx'

/** Texts that can no longer be sent, to be taken along; nothing where there is none. */
export function UnsentTexts({ texts }: { texts: readonly { label: string; text: string }[] }) {
  if (texts.length === 0) return null
  return (
    <section aria-labelledby="unsent-texts" className="flex w-full max-w-lg flex-col gap-3 text-left">
      <div>
        <h2 id="unsent-texts" className="font-semibold text-lg">
          Not sent
        </h2>
        <p className="text-base text-muted">You were writing this. It was not sent and is kept nowhere else.</p>
      </div>
      {texts.map(({ label, text }) => (
        <div key={`${label} ${text}`} className="rounded-md border border-border bg-surface text-base">
          <div className="flex items-center justify-between gap-3 border-border border-b py-1.5 pr-2 pl-3">
            <h3 className="font-medium text-sm">{label}</h3>
            <CopyButton text={text} aria-label={`Copy: ${label}`} />
          </div>
          <p
            dir="auto"
            className="max-h-60 overflow-y-auto whitespace-pre-wrap px-3 py-2 [overflow-wrap:anywhere] [unicode-bidi:isolate]"
          >
            {text}
          </p>
        </div>
      ))}
    </section>
  )
}
