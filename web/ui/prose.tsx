import type { Ref } from 'react'
import { withBasePath } from '../lib/base-path.ts'
import { cn } from './class-names.ts'
import './prose.css'

/** Where an address of our own begins. Text of the HTML has no such quotes: they are escaped. */
const ownAddress = /(?<=<(?:a|img)\b[^>]*\b(?:href|src)=")(?=\/)/g

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
      dangerouslySetInnerHTML={{ __html: html.replaceAll(ownAddress, `$&${withBasePath('')}`) }}
    />
  )
}
