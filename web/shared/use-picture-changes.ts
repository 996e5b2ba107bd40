import { useMutation } from '@tanstack/react-query'
import { maxPictureBytes } from '#contract/picture.ts'
import { captureEvent } from '#web/lib/analytics.ts'
import { findPictureProblem, makeSquarePicture } from '#web/lib/square-picture.ts'
import { toast } from '#web/ui/toast.tsx'

type SquarePicture = Awaited<ReturnType<typeof makeSquarePicture>>

interface PictureChanges {
  /** Its name, as the setting is called: `logo`. */
  name: string
  /** Stores the picture. Resolves with its address. */
  set: (picture: SquarePicture) => Promise<string | null>
  remove: () => Promise<unknown>
  /** Shows the picture at the address; null: none. */
  show: (url: string | null) => void
}

const edgePixels = 256

/** Uploads and removes a square picture. `problem`: why the latest of both failed. */
export function usePictureChanges({ name, set, remove, show }: PictureChanges) {
  const succeed = (url: string | null, outcome: string) => {
    show(url)
    captureEvent('settings_updated', { setting: name })
    toast({ title: `${name.charAt(0).toUpperCase()}${name.slice(1)} ${outcome}`, tone: 'success' })
  }
  const change = useMutation({
    mutationFn: async (file: File) => {
      const typeProblem = findPictureProblem(file)
      if (typeProblem !== undefined) throw Object.assign(new Error(typeProblem), { status: 400 })
      return set(await makeSquarePicture(file, { edgePixels, maxBytes: maxPictureBytes }))
    },
    networkMode: 'always',
    retry: false,
    onSuccess: (url) => succeed(url, 'changed'),
  })
  const removal = useMutation({
    mutationFn: remove,
    networkMode: 'always',
    onSuccess: () => succeed(null, 'removed'),
  })
  const latest = change.submittedAt > removal.submittedAt ? change : removal
  return { change, removal, problem: latest.error?.message }
}
