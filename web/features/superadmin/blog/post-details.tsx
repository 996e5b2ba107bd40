import { useState } from 'react'
import { blogPictureTypes, maxBlogTags } from '#contract/blog-posts.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { PictureField } from '#web/ui/picture-field.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { readTags, writeTags } from './post-draft.ts'
import { uploadPicture } from './upload-picture.ts'
import type { PostDraft } from './use-post-draft.ts'

/** Address, tags and words for lists and search engines. */
export function PostDetails({ draft, slugError }: { draft: PostDraft; slugError: string | undefined }) {
  const { content, post, edit } = draft
  const [tags, setTags] = useState(() => writeTags(content.tags))
  const tooMany = readTags(tags).length > maxBlogTags
  return (
    <div className="grid gap-6 @3xl:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <Field
          label="Slug"
          hint={
            content.slug === ''
              ? 'Made of the title when it is saved.'
              : `Address: /blog/${post.slug}${post.state === 'published' ? '. The former address will lead here.' : ''}`
          }
          error={slugError}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={200}
              value={content.slug}
              onChange={({ currentTarget }) => edit({ slug: currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Summary" hint="In the list of posts, the feed and previews of links.">
          {(control) => (
            <Textarea
              {...control}
              maxLength={500}
              value={content.summary}
              onChange={({ currentTarget }) => edit({ summary: currentTarget.value })}
            />
          )}
        </Field>
        <Field
          label="Tags"
          aside="optional"
          hint="Separated by commas."
          error={tooMany ? `A post has ${maxBlogTags} tags at most: the rest is not saved.` : undefined}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              value={tags}
              onChange={({ currentTarget: { value } }) => {
                setTags(value)
                edit({ tags: readTags(value).slice(0, maxBlogTags) })
              }}
            />
          )}
        </Field>
        <Field label="Author" aside="optional">
          {(control) => (
            <Input
              {...control}
              maxLength={120}
              value={content.authorName}
              onChange={({ currentTarget }) => edit({ authorName: currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <SearchFields draft={draft} />
        <SearchResult draft={draft} />
        <Cover draft={draft} />
      </div>
    </div>
  )
}

function SearchFields({ draft: { content, edit } }: { draft: PostDraft }) {
  return (
    <>
      <Field label="Title for search engines" aside="optional" hint="Empty: the title.">
        {(control) => (
          <Input
            {...control}
            maxLength={120}
            value={content.seoTitle}
            onChange={({ currentTarget }) => edit({ seoTitle: currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Description for search engines" aside="optional" hint="Empty: the summary.">
        {(control) => (
          <Textarea
            {...control}
            maxLength={300}
            value={content.seoDescription}
            onChange={({ currentTarget }) => edit({ seoDescription: currentTarget.value })}
          />
        )}
      </Field>
    </>
  )
}

/** About as search engines show the post: they cut titles at 60 and descriptions at 160 characters. */
function SearchResult({ draft: { content, post } }: { draft: PostDraft }) {
  const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length).trimEnd()} …` : text)
  return (
    <figure className="rounded-md border border-border bg-surface px-3 py-2.5 [overflow-wrap:anywhere]">
      <figcaption className="mb-1 text-muted text-xs">In a list of search results, about</figcaption>
      <p className="text-muted text-sm">
        {window.location.host} › blog › {post.slug}
      </p>
      <p className="font-medium text-accent-text text-lg">{cut(content.seoTitle || content.title, 60)}</p>
      <p className="text-base text-muted">{cut(content.seoDescription || content.summary, 160)}</p>
    </figure>
  )
}

function Cover({ draft: { content, post, edit } }: { draft: PostDraft }) {
  const [isUploading, setUploading] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [uploaded, setUploaded] = useState<{ id: string; url: string }>()
  const url = content.coverId === null ? null : content.coverId === uploaded?.id ? uploaded.url : post.coverUrl
  const upload = async (file: File) => {
    setUploading(true)
    setProblem(undefined)
    try {
      const picture = await uploadPicture(file)
      setUploaded(picture)
      edit({ coverId: picture.id })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'Couldn’t upload it.')
    }
    setUploading(false)
  }
  return (
    <section aria-labelledby="cover" className="flex flex-col gap-2">
      <h2 id="cover" className="font-medium text-base">
        Picture above the post
      </h2>
      <div className="flex flex-wrap items-start gap-4">
        <PictureField
          preview={
            url === null ? (
              <div className="aspect-[1200/630] w-40 rounded-md border border-border border-dashed bg-sunken" />
            ) : (
              <img
                src={withBasePath(url)}
                alt=""
                className="aspect-[1200/630] w-40 rounded-md border border-border object-cover"
              />
            )
          }
          noun="picture"
          accept={blogPictureTypes}
          hasPicture={url !== null}
          isUploading={isUploading}
          isRemoving={false}
          onSelect={(file) => void upload(file)}
          onRemove={() => edit({ coverId: null })}
          hint="1200 × 630 pixels suit best."
          problem={problem}
        />
      </div>
    </section>
  )
}
