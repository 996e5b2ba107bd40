import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Post } from '#contract/blog.ts'
import { readFrontMatter } from '#server/platform/markdown/front-matter.ts'
import { renderMarkdown } from '#server/platform/markdown/render-markdown.ts'

const wordsPerMinute = 200

/** Reads and renders all posts of a folder, the newest first. Posts of days to come are left out by {@link isDue}. */
export async function readPosts(folder: string): Promise<readonly Post[]> {
  const names = (await readdir(folder)).filter((name) => /^[a-z0-9-]+\.md$/.test(name))
  const posts = await Promise.all(
    names.map(async (name) => renderPost(name, await readFile(join(folder, name), 'utf8'))),
  )
  return posts.sort((one, other) => (one.publishedAt < other.publishedAt ? 1 : -1))
}

/** Whether a post may be read by now. */
export function isDue({ publishedAt }: Pick<Post, 'publishedAt'>, now: Date): boolean {
  return Date.parse(publishedAt) <= now.getTime()
}

/** @throws Error naming the file whose date can't be read. */
function renderPost(name: string, file: string): Post {
  const { fields, body } = readFrontMatter(file)
  const { html, title, passages } = renderMarkdown(body)
  const publishedAt = new Date(`${fields.date}T00:00:00Z`)
  if (Number.isNaN(publishedAt.getTime())) throw new Error(`The post ${name} needs a date, e.g. 2026-01-31.`)
  const words = passages.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0)
  return {
    slug: name.replace(/\.md$/, ''),
    title: fields.title || title,
    description: fields.description ?? '',
    tags: (fields.tags ?? '').split(/\s*,\s*/).filter(Boolean),
    publishedAt: publishedAt.toISOString(),
    readingMinutes: Math.max(1, Math.round(words / wordsPerMinute)),
    html,
    older: null,
    newer: null,
  }
}
