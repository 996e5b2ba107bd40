import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Post } from '#contract/blog.ts'
import { readFrontMatter } from '#server/platform/markdown/front-matter.ts'
import { renderMarkdown } from '#server/platform/markdown/render-markdown.ts'
import { countMinutes } from './count-minutes.ts'

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
  const { html, title: heading } = renderMarkdown(body)
  const date = new Date(`${fields.date}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) throw new Error(`The post ${name} needs a date, e.g. 2026-01-31.`)
  const title = fields.title || heading
  const description = fields.description ?? ''
  const publishedAt = date.toISOString()
  return {
    slug: name.replace(/\.md$/, ''),
    title,
    description,
    tags: (fields.tags ?? '').split(/\s*,\s*/).filter(Boolean),
    authorName: '',
    publishedAt,
    updatedAt: publishedAt,
    readingMinutes: countMinutes(body),
    coverUrl: null,
    html,
    seoTitle: title,
    seoDescription: description,
    older: null,
    newer: null,
  }
}
