import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  type EmailTemplate,
  type EmailWords,
  getEmailTemplate,
  resetEmailTemplate,
  saveEmailTemplate,
} from '#contract/email-templates.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { findUnsent, keepUnsent, type UnsentText } from '#web/lib/unsent-texts.ts'
import { templatesKey } from './template-queries.ts'

export interface TemplateDraft {
  readonly words: EmailWords
  /** The template as it is stored. */
  readonly template: EmailTemplate
  readonly isDirty: boolean
  readonly isSaving: boolean
  /** Why the last save failed; null: it didn't. */
  readonly error: Error | null
  /** Whether someone else has saved other words since. */
  readonly isConflict: boolean
  edit(field: string, text: string): void
  discard(): void
  /** @returns the template as it is stored then; undefined: the save failed. */
  save(): Promise<EmailTemplate | undefined>
  /** After a conflict: saves over the other words, which stay among the versions. */
  saveAnyway(): Promise<void>
  /** After a conflict: continues with the other words. */
  takeTheirs(): Promise<void>
  /** Gives the template its default words. @throws ApiError. */
  reset(): Promise<void>
  /** Takes an answer of the server that is newer. */
  accept(template: EmailTemplate): void
}

interface Unsaved extends UnsentText {
  readonly words: EmailWords
  readonly version: number
}

function isSame(one: EmailWords, other: EmailWords): boolean {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => one[name] === other[name])
}

/** Edits the words of a template. Words that are not saved are kept by the browser, also when the session ends. */
export function useTemplateDraft(opened: EmailTemplate): TemplateDraft {
  const queryClient = useQueryClient()
  const name = `email-template ${opened.id}`
  const params = { emailTemplateId: opened.id }
  const [template, setTemplate] = useState(opened)
  const [kept] = useState(() => findUnsent<Unsaved>(name))
  const [words, setWords] = useState(() => ({ ...opened.words, ...kept?.words }))
  // Of the words that are edited, which may have been kept before others saved theirs.
  const [version, setVersion] = useState(kept?.version ?? opened.version)
  const isDirty = !isSame(words, template.words)

  /** @param sent what was saved. Text typed since is kept; the server’s tidied form does not replace it. */
  const accept = (stored: EmailTemplate, sent?: EmailWords) => {
    setTemplate(stored)
    setVersion(stored.version)
    setWords((now) => (sent === undefined || isSame(now, sent) ? stored.words : now))
    void queryClient.invalidateQueries({ queryKey: [...templatesKey, 'revisions', opened.id] })
  }
  const saving = useMutation({
    mutationFn: (body: { words: EmailWords; version: number }) => call(saveEmailTemplate, { params, body }),
    networkMode: 'always',
    onSuccess: (stored, sent) => accept(stored, sent.words),
  })
  const isConflict = saving.error instanceof ApiError && saving.error.code === 'edit_conflict'

  useEffect(() => {
    const text = isDirty ? (words.title ?? words.product ?? opened.title) : ''
    keepUnsent(name, { label: `Email “${opened.title}”`, text, words, version } as Unsaved) // Read above.
  }, [name, opened.title, words, isDirty, version])

  return {
    words,
    template,
    isDirty,
    isSaving: saving.isPending,
    error: saving.error,
    isConflict,
    edit: (field, text) => {
      setWords((now) => ({ ...now, [field]: text }))
      // After a conflict, the writer decides.
      if (saving.error && !isConflict) saving.reset()
    },
    discard: () => {
      setWords(template.words)
      setVersion(template.version)
      saving.reset()
    },
    save: () => saving.mutateAsync({ words, version }).catch(() => undefined),
    saveAnyway: async () => {
      const theirs = await call(getEmailTemplate, { params })
      await saving.mutateAsync({ words, version: theirs.version }).catch(() => {})
    },
    takeTheirs: async () => {
      accept(await call(getEmailTemplate, { params }))
      saving.reset()
    },
    reset: async () => {
      accept(await call(resetEmailTemplate, { params, body: { version: template.version } }))
      saving.reset()
    },
    accept: (stored) => accept(stored),
  }
}
