import type { Ref } from 'react'
import { cn } from './class-names.ts'
import './prose.css'

/**
 * Text that the server has rendered from Markdown.
 *
 * @param html of `renderMarkdown`, and of nothing else: there, markup in a text is shown as text.
 */
export function Prose({ html, className, ref }: { html: string; className?: string; ref?: Ref<HTMLDivElement> }) {
  return (
    <div
      ref={ref}
      className={cn('prose', className)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server has escaped all markup of the text, and refused all addresses that run something (render-markdown.test.ts)
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
