import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { type BlogContent, type BlogPost, getBlogPost, saveBlogPost } from '#contract/blog-posts.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { findUnsent, keepUnsent } from '#web/lib/unsent-texts.ts'
import { isSameContent, toContent, type UnsavedPost } from './post-draft.ts'
import { blogKey } from './posts-query.ts'

/** After the last key. */
const autosaveMs = 1_500
/** After a save that didn't reach the server. */
const retryMs = 10_000

export interface PostDraft {
  readonly content: BlogContent
  /** The post as it is stored. */
  readonly post: BlogPost
  readonly isDirty: boolean
  readonly isSaving: boolean
  /** Why the last save failed; null: it didn't. */
  readonly error: Error | null
  /** Whether someone else has saved another version since. */
  readonly isConflict: boolean
  edit(change: Partial<BlogContent>): void
  /** Saves what is not saved. @returns the post as it is stored then; undefined: the save failed. */
  save(): Promise<BlogPost | undefined>
  /** After a conflict: saves over the other version, which stays among the saved versions. */
  saveAnyway(): Promise<void>
  /** After a conflict: continues with the other version. */
  takeTheirs(): Promise<void>
  /** Takes an answer of the server that is newer: after publishing, or restoring a version. */
  accept(post: BlogPost): void
}

/**
 * Edits a post. Drafts are saved by themselves when typing pauses, published posts by their writer. Text that is not saved
 * is kept by the browser, also when the session ends.
 */
export function usePostDraft(opened: BlogPost): PostDraft {
  const queryClient = useQueryClient()
  const name = `blog-post ${opened.id}`
  const [post, setPost] = useState(opened)
  const [kept] = useState(() => findUnsent<UnsavedPost>(name))
  const [content, setContent] = useState(() => kept?.content ?? toContent(opened))
  const [saved, setSaved] = useState(() => toContent(opened))
  // Of the text that is edited, which may have been kept before others saved theirs.
  const [version, setVersion] = useState(kept?.version ?? opened.version)
  const isDirty = !isSameContent(content, saved)

  const accept = (stored: BlogPost) => {
    setPost(stored)
    setVersion(stored.version)
    setSaved(toContent(stored))
    setContent(toContent(stored))
    void queryClient.invalidateQueries({ queryKey: [...blogKey, 'revisions', stored.id] })
  }
  const saving = useMutation({
    mutationFn: (sent: { content: BlogContent; version: number; isAutosave: boolean }) => {
      const { content: body, ...rest } = sent
      return call(saveBlogPost, { params: { postId: opened.id }, body: { ...body, ...rest } })
    },
    networkMode: 'always',
    onSuccess: (stored, sent) => {
      setPost(stored)
      setVersion(stored.version)
      // Text typed meanwhile is not saved; the server’s tidied form does not replace it.
      setSaved(sent.content)
      void queryClient.invalidateQueries({ queryKey: [...blogKey, 'revisions', stored.id] })
    },
  })
  const isConflict = saving.error instanceof ApiError && saving.error.code === 'edit_conflict'
  const isRefused = saving.error instanceof ApiError && saving.error.status < 500

  useEffect(() => {
    const text = isDirty ? content.markdown || content.title : ''
    keepUnsent(name, { label: `Post “${content.title}”`, text, content, version } as UnsavedPost) // Read above.
  }, [name, content, isDirty, version])

  const autosave = useEffectEvent(() => saving.mutate({ content, version, isAutosave: true }))
  const mayAutosave =
    isDirty && post.state !== 'published' && !saving.isPending && !isRefused && content.title.trim() !== ''
  const hasFailed = saving.error !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the content begins the wait again
  useEffect(() => {
    if (!mayAutosave) return
    const timer = setTimeout(autosave, hasFailed ? retryMs : autosaveMs)
    return () => clearTimeout(timer)
  }, [mayAutosave, hasFailed, content])

  const readStored = () => call(getBlogPost, { params: { postId: opened.id } })
  return {
    content,
    post,
    isDirty,
    isSaving: saving.isPending,
    error: isDirty ? saving.error : null,
    isConflict,
    edit: (change) => {
      setContent((now) => ({ ...now, ...change }))
      // Refused text is tried again once it is changed; after a conflict, the writer decides.
      if (isRefused && !isConflict) saving.reset()
    },
    save: async () => {
      if (!isDirty) return post
      return saving.mutateAsync({ content, version, isAutosave: false }).catch(() => undefined)
    },
    saveAnyway: async () => {
      const theirs = await readStored()
      await saving.mutateAsync({ content, version: theirs.version, isAutosave: false }).catch(() => {})
    },
    takeTheirs: async () => {
      accept(await readStored())
      saving.reset()
    },
    accept,
  }
}
