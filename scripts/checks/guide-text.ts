import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/* What tests read of docs/guides. */
const folder = join(import.meta.dirname, '../../docs/guides')

/** Names of all guides, without `.md`. */
export async function listGuides(): Promise<string[]> {
  return (await readdir(folder)).flatMap((name) => (name.endsWith('.md') ? name.slice(0, -'.md'.length) : [])).sort()
}

export async function readGuide(name: string): Promise<string> {
  return readFile(join(folder, `${name}.md`), 'utf8')
}

export interface GuideBlock {
  /** Empty: none is named. */
  readonly language: string
  readonly text: string
}

/** Code blocks, also those within lists. */
export function readBlocks(guide: string): GuideBlock[] {
  return [...guide.matchAll(/^( *)```([a-z]*)\n(.*?)\n\1```$/gms)].map(([, indent = '', language = '', text = '']) => ({
    language,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}

/** A guide without its code blocks and front matter. */
export function readProse(guide: string): string {
  return guide.replace(/^---\n.*?\n---\n/s, '').replaceAll(/^( *)```.*?^\1```$/gms, '')
}
