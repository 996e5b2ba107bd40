import { useMutation } from '@tanstack/react-query'
import { ImageUp } from 'lucide-react'
import { useRef } from 'react'
import { findPictureProblem, makeSquarePicture, pictureTypes } from '#web/lib/square-picture.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import type { SettingsPartProps } from './settings-part.ts'

/** Shown at 40 CSS pixels. */
const edgePixels = 96
/** In Base64, this fits the contract's limit of a team picture. */
const maxBytes = 12_000

/** A greeting line and a picture of the team, in the panel's header. */
export function GreetingSettings({ settings, change }: SettingsPartProps) {
  return (
    <>
      <Field label="Greeting" aside="Optional" hint="One line under the panel’s title.">
        {(control) => (
          <Input
            {...control}
            maxLength={160}
            placeholder="We read every message."
            value={settings.greeting}
            onChange={({ currentTarget }) => change({ greeting: currentTarget.value })}
          />
        )}
      </Field>
      <TeamPicture settings={settings} change={change} />
    </>
  )
}

function TeamPicture({ settings: { teamPicture }, change }: SettingsPartProps) {
  const input = useRef<HTMLInputElement>(null)
  const reading = useMutation({
    mutationFn: async (file: File) => {
      const problem = findPictureProblem(file)
      if (problem !== undefined) throw new Error(problem)
      const { mime, data } = await makeSquarePicture(file, { edgePixels, maxBytes })
      return `data:${mime};base64,${data}`
    },
    networkMode: 'always',
    retry: false,
    onSuccess: (address) => change({ teamPicture: address }),
  })
  return (
    <Field
      label="Team picture"
      aside="Optional"
      hint="Beside the panel’s title. We’ll crop it to a square."
      error={reading.error?.message}
    >
      {(control) => (
        <div className="flex items-center gap-3">
          {teamPicture !== '' && <img src={teamPicture} alt="Team" className="size-10 rounded-full" />}
          <input
            {...control}
            ref={input}
            type="file"
            accept={pictureTypes.join(',')}
            tabIndex={-1}
            className="sr-only"
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0]
              // The same file can be selected again after a failure.
              currentTarget.value = ''
              if (file) reading.mutate(file)
            }}
          />
          <Button variant="secondary" size="sm" loading={reading.isPending} onClick={() => input.current?.click()}>
            <ImageUp aria-hidden="true" />
            {teamPicture === '' ? 'Upload picture' : 'Replace picture'}
          </Button>
          {teamPicture !== '' && (
            <Button variant="ghost" size="sm" onClick={() => change({ teamPicture: '' })}>
              Remove picture
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}
