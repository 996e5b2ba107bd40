import { ImageUp } from 'lucide-react'
import { useEffectEvent, useRef, useState } from 'react'
import { blogPictureTypes, maxBlogPictureBytes } from '#contract/blog-posts.ts'
import { Button } from '#web/ui/button.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { uploadPicture } from './upload-picture.ts'

/** The text of a post. Pictures are put at the cursor: by the button, pasted or dropped. */
export function MarkdownField({ value, onChange }: { value: string; onChange: (markdown: string) => void }) {
  const picker = useRef<HTMLInputElement>(null)
  const { field, isUploading, problem, take } = usePictures(value, onChange)
  return (
    <div className="flex flex-1 flex-col gap-2">
      <Textarea
        ref={field}
        aria-label="Text, in Markdown"
        dir="auto"
        className="min-h-108 flex-1 font-mono text-sm leading-6"
        maxLength={200_000}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onPaste={(event) => {
          if (take(event.clipboardData.files)) event.preventDefault()
        }}
        onDrop={(event) => {
          if (take(event.dataTransfer.files)) event.preventDefault()
        }}
      />
      <div className="flex flex-wrap items-center gap-3">
        <input
          ref={picker}
          type="file"
          multiple
          accept={blogPictureTypes.join(',')}
          aria-label="Picture"
          tabIndex={-1}
          className="sr-only"
          onChange={({ currentTarget }) => {
            if (currentTarget.files) take(currentTarget.files)
            // The same file can be selected again.
            currentTarget.value = ''
          }}
        />
        <Button variant="secondary" size="sm" loading={isUploading} onClick={() => picker.current?.click()}>
          <ImageUp aria-hidden="true" />
          Add picture
        </Button>
        {problem === undefined ? (
          <p className="text-muted text-sm">
            PNG, JPEG, WebP, AVIF or GIF up to {maxBlogPictureBytes / 1024 / 1024} MB. You can also paste or drop one.
          </p>
        ) : (
          <p role="alert" className="text-danger-text text-sm">
            {problem}
          </p>
        )}
      </div>
    </div>
  )
}

/** Uploads pictures and puts each where the cursor was. `take` tells whether there was a picture among the files. */
function usePictures(value: string, onChange: (markdown: string) => void) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [uploading, setUploading] = useState(0)
  const [problem, setProblem] = useState<string>()
  // The text as it is when the upload has ended, not as it was when it began.
  const replace = useEffectEvent((mark: string, markdown: string) => onChange(value.replace(mark, () => markdown)))

  const insert = async (files: readonly File[]) => {
    setProblem(undefined)
    let text = value
    let at = field.current?.selectionEnd ?? value.length
    const marks = files.map((file) => {
      const mark = `![Uploading ${file.name.replace(/[[\]()]/g, '')} …]()`
      text = `${text.slice(0, at)}${mark}\n${text.slice(at)}`
      at += mark.length + 1
      return mark
    })
    onChange(text)
    setUploading((count) => count + files.length)
    await Promise.all(
      files.map(async (file, index) => {
        const mark = marks[index] ?? ''
        try {
          const { url } = await uploadPicture(file)
          replace(mark, `![Describe the picture](${url})`)
        } catch (error) {
          replace(`${mark}\n`, '')
          setProblem(`${file.name}: ${error instanceof Error ? error.message : 'Couldn’t upload it.'}`)
        }
        setUploading((count) => count - 1)
      }),
    )
  }
  const take = (list: FileList): boolean => {
    const files = [...list].filter(({ type }) => type.startsWith('image/'))
    if (files.length > 0) void insert(files)
    return files.length > 0
  }
  return { field, isUploading: uploading > 0, problem, take }
}
