import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type EmailWords, previewEmailTemplate } from '#contract/email-templates.ts'
import { call } from '#web/lib/api.ts'
import { templatesKey } from './template-queries.ts'

/** After the last key. */
const pauseMs = 300

/** The email as the server renders it from the words that are being typed, or what is wrong with them. */
export function usePreview(id: string, words: EmailWords, sample: number) {
  const [shown, setShown] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setShown(words), pauseMs)
    return () => clearTimeout(timer)
  }, [words])
  return useQuery({
    queryKey: [...templatesKey, 'preview', id, shown, sample],
    queryFn: ({ signal }) =>
      call(previewEmailTemplate, { params: { emailTemplateId: id }, body: { words: shown, sample }, signal }),
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    networkMode: 'always',
  })
}
