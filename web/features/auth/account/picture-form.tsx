import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useEffect, useEffectEvent, useState } from 'react'
import { removeAvatar, setAvatar } from '#contract/auth.ts'
import { accountQuery } from '#web/lib/account-query.ts'
import { call } from '#web/lib/api.ts'
import { findOwnPicture } from '#web/lib/own-picture.ts'
import { formatUserName, useUser } from '#web/lib/session.tsx'
import { pictureTypes } from '#web/lib/square-picture.ts'
import { usePictureChanges } from '#web/shared/use-picture-changes.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { cn } from '#web/ui/class-names.ts'
import { PictureField } from '#web/ui/picture-field.tsx'

/** The profile picture: from a file dialog, dropped here, or pasted anywhere on the page. */
export function PictureForm() {
  const user = useUser()
  const queryClient = useQueryClient()
  const query = accountQuery(user.id)
  const { data: account } = useQuery(query)
  const { change, removal, problem } = usePictureChanges({
    name: 'picture',
    set: async (body) => (await call(setAvatar, { body })).avatarUrl,
    remove: () => call(removeAvatar, {}),
    show: (avatarUrl) => queryClient.setQueryData(query.queryKey, (before) => before && { ...before, avatarUrl }),
  })
  const [isOver, setOver] = useState(false)
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
      <PictureField
        preview={<Avatar name={formatUserName(user)} src={src} className="size-16 text-xl" />}
        noun="picture"
        accept={pictureTypes}
        hasPicture={src !== undefined}
        isUploading={change.isPending}
        isRemoving={removal.isPending}
        onSelect={change.mutate}
        onRemove={() => removal.mutate()}
        hint="Or drop or paste one here. We’ll crop it to a square."
        problem={problem}
      />
    </div>
  )
}
