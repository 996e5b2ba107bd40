import type { LegalText } from '#contract/site-content.ts'
import { Prose } from '../../ui/prose.tsx'
import { PageHead } from './page-head.tsx'

/** A legal text, with a clear note where no lawyer has seen it. */
export function LegalPage({ text: { title, html, isTemplate } }: { text: LegalText }) {
  return (
    <article className="mx-auto flex w-full max-w-3xl flex-col gap-8 px-5 pt-12 pb-20 md:px-8 md:pt-16">
      <PageHead title={title} />
      {isTemplate && (
        <p
          role="note"
          className="rounded-lg border border-warning-text/30 bg-warning-soft px-5 py-4 text-base text-warning-text"
        >
          This text is a template. It is not legal advice, and a lawyer has to check it before this instance is used by
          others. Operators replace it by a text of their own.
        </p>
      )}
      <Prose html={html} />
    </article>
  )
}
