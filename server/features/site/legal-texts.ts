import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { LegalText, LegalTextName } from '#contract/site-content.ts'
import type { Config } from '#server/config.ts'
import { renderMarkdown } from '#server/platform/markdown/render-markdown.ts'

interface LegalSettings {
  readonly appUrl: string
  readonly site: Pick<Config['site'], 'operator' | 'legalFiles'>
}

const templates = resolve(import.meta.dirname, '../../../docs/legal')

/**
 * Reads a legal text: the operator's own file, else the template with the operator's name and address filled in. A file may
 * be changed while the server runs.
 *
 * @throws Error when the operator's file can't be read.
 */
export async function readLegalText(
  { appUrl, site: { operator, legalFiles } }: LegalSettings,
  name: LegalTextName,
): Promise<LegalText> {
  const own = legalFiles[name]
  const text = await readFile(own ?? join(templates, `${name}.md`), 'utf8')
  const words: Record<string, string> = {
    operator: operator.name ?? 'The operator',
    address: operator.address?.replaceAll('\n', '  \n') ?? '',
    url: appUrl,
  }
  const filled = text.replace(/\{\{(\w+)\}\}/g, (placeholder, key: string) => words[key] ?? placeholder)
  const { html, title } = renderMarkdown(filled)
  return { html, title, isTemplate: own === null }
}
