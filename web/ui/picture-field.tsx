import { ImageUp } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'

interface PictureFieldProps {
  /** The picture as it is now. */
  preview: ReactNode
  /** Its name within a sentence: `logo`. */
  noun: string
  /** Types of files that may be selected. */
  accept: readonly string[]
  hasPicture: boolean
  isUploading: boolean
  isRemoving: boolean
  onSelect: (file: File) => void
  onRemove: () => void
  hint: string
  /** Replaces the hint. */
  problem: string | undefined
}

/** A picture with buttons to upload another and to remove it. */
export function PictureField(props: PictureFieldProps) {
  const { preview, noun, accept, hasPicture, isUploading, isRemoving, onSelect, onRemove, hint, problem } = props
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      {preview}
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-2">
        <div className="flex flex-wrap gap-2">
          <input
            ref={input}
            type="file"
            accept={accept.join(',')}
            aria-label={noun.charAt(0).toUpperCase() + noun.slice(1)}
            tabIndex={-1}
            className="sr-only"
            onChange={(event) => {
              const file = event.target.files?.[0]
              // The same file can be selected again after a failure.
              event.target.value = ''
              if (file) onSelect(file)
            }}
          />
          <Button variant="secondary" size="sm" loading={isUploading} onClick={() => input.current?.click()}>
            <ImageUp aria-hidden="true" />
            Upload {noun}
          </Button>
          {hasPicture && (
            <Button variant="ghost" size="sm" loading={isRemoving} onClick={onRemove}>
              Remove {noun}
            </Button>
          )}
        </div>
        {problem === undefined ? (
          <p className="text-muted text-sm">{hint}</p>
        ) : (
          <p role="alert" className="text-danger-text text-sm">
            {problem}
          </p>
        )}
      </div>
    </>
  )
}
