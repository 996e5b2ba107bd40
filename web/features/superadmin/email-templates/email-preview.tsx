import { useState } from 'react'
import type { EmailPreview as Preview } from '#contract/email-templates.ts'
import { RequestNote } from '#web/ui/request-note.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmailFrame } from './email-frame.tsx'

type Look = 'light' | 'dark' | 'phone' | 'text'

const looks = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'phone', label: 'Phone' },
  { value: 'text', label: 'Text' },
] as const

interface EmailPreviewProps {
  preview: Preview | undefined
  error: Error | null
  samples: readonly string[]
  sample: number
  onSample: (sample: number) => void
}

/** The email with made-up data, as mailboxes show it. */
export function EmailPreview({ preview, error, samples, sample, onSample }: EmailPreviewProps) {
  const [look, setLook] = useState<Look>('light')
  const mail = preview?.mail
  return (
    <section aria-label="Preview" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Segmented label="Look" value={look} options={looks} onChange={setLook} />
        {samples.length > 1 && (
          <Select
            aria-label="Sample data"
            className="w-auto max-w-full"
            value={sample}
            onChange={({ currentTarget }) => onSample(Number(currentTarget.value))}
          >
            {samples.map((label, place) => (
              <option key={label} value={place}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </div>
      {error && (
        <p role="alert" className="text-danger-text text-sm">
          {error.message}
          <RequestNote error={error} />
        </p>
      )}
      {preview && !mail && (
        <p className="rounded-md bg-warning-soft px-3 py-2 text-base text-warning-text">
          Correct the marked texts to see the email.
        </p>
      )}
      {mail ? (
        <>
          <div className="min-w-0 rounded-lg border border-border bg-surface px-4 py-3">
            <p className="truncate font-medium text-base">
              <bdi>{mail.subject}</bdi>
            </p>
            <p className="truncate text-muted text-sm">
              <bdi>{mail.preview || ' '}</bdi>
            </p>
          </div>
          {look === 'text' ? (
            // All of it, so that the page scrolls and not this.
            <pre className="whitespace-pre-wrap rounded-lg border border-border bg-surface p-4 font-mono text-sm [overflow-wrap:anywhere]">
              {mail.text}
            </pre>
          ) : (
            <EmailFrame html={mail.html} isDark={look === 'dark'} isNarrow={look === 'phone'} />
          )}
        </>
      ) : (
        preview === undefined && !error && <Skeleton className="h-96" />
      )}
    </section>
  )
}
