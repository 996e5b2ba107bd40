import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ImageUp } from 'lucide-react'
import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { removeAvatar, setAvatar } from '#contract/auth.ts'
import { accountQuery } from '#web/lib/account-query.ts'
import { captureEvent } from '#web/lib/analytics.ts'
import { call } from '#web/lib/api.ts'
import { findOwnPicture } from '#web/lib/own-picture.ts'
import { formatUserName, useUser } from '#web/lib/session.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { toast } from '#web/ui/toast.tsx'
import { findPictureProblem, makeSquarePicture, pictureTypes } from './square-picture.ts'

/** The profile picture: from a file dialog, dropped here, or pasted anywhere on the page. */
export function PictureForm() {
  const user = useUser()
  const { data: account } = useQuery(accountQuery(user.id))
  const { change, removal, problem } = usePictureChanges(user.id)
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const src = findOwnPicture(account?.avatarUrl, window.location.origin)

  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const file = event.clipboardData?.files[0]
    if (file && !change.isPending) change.mutate(file)
  })
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event)
    window.addEventListener('paste', listen)
    return () => window.removeEventListener('paste', listen)
  }, [])
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file) change.mutate(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the button works with a keyboard
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        'flex flex-wrap items-center gap-x-5 gap-y-4 rounded-t-lg border-border border-b p-5',
        isOver && 'bg-accent-soft',
      )}
    >
      <Avatar name={formatUserName(user)} src={src} className="size-16 text-xl" />
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-2">
        <div className="flex flex-wrap gap-2">
          <input
            ref={input}
            type="file"
            accept={pictureTypes.join(',')}
            aria-label="Picture"
            tabIndex={-1}
            className="sr-only"
            onChange={(event) => {
              const file = event.target.files?.[0]
              // The same file can be selected again after a failure.
              event.target.value = ''
              if (file) change.mutate(file)
            }}
          />
          <Button variant="secondary" size="sm" loading={change.isPending} onClick={() => input.current?.click()}>
            <ImageUp aria-hidden="true" />
            Upload picture
          </Button>
          {src !== undefined && (
            <Button variant="ghost" size="sm" loading={removal.isPending} onClick={() => removal.mutate()}>
              Remove picture
            </Button>
          )}
        </div>
        {problem === undefined ? (
          <p className="text-muted text-sm">Or drop or paste one here. We’ll crop it to a square.</p>
        ) : (
          <p role="alert" className="text-danger-text text-sm">
            {problem}
          </p>
        )}
      </div>
    </div>
  )
}

function usePictureChanges(userId: string) {
  const queryClient = useQueryClient()
  const { queryKey } = accountQuery(userId)
  const show = (avatarUrl: string | null) => {
    queryClient.setQueryData(queryKey, (before) => before && { ...before, avatarUrl })
    captureEvent('settings_updated', { setting: 'picture' })
  }
  const change = useMutation({
    mutationFn: async (file: File) => {
      const typeProblem = findPictureProblem(file)
      if (typeProblem !== undefined) throw Object.assign(new Error(typeProblem), { status: 400 })
      return call(setAvatar, { body: await makeSquarePicture(file) })
    },
    networkMode: 'always',
    retry: false,
    onSuccess: ({ avatarUrl }) => {
      show(avatarUrl)
      toast({ title: 'Picture changed', tone: 'success' })
    },
  })
  const removal = useMutation({
    mutationFn: () => call(removeAvatar, {}),
    networkMode: 'always',
    onSuccess: () => {
      show(null)
      toast({ title: 'Picture removed', tone: 'success' })
    },
  })
  const latest = change.submittedAt > removal.submittedAt ? change : removal
  return { change, removal, problem: latest.error?.message }
}
