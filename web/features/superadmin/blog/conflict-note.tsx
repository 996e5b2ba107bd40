import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { PostDraft } from './use-post-draft.ts'

/** Someone else has saved the post meanwhile: whose text stands is for the writer to say. */
export function ConflictNote({ draft }: { draft: PostDraft }) {
  const [error, setError] = useState<Error>()
  const run = (act: () => Promise<void>) => {
    setError(undefined)
    act().catch(setError)
  }
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-md bg-warning-soft px-3 py-2 text-base text-warning-text"
    >
      <p className="min-w-56 flex-1">
        {error?.message ??
          'Someone else saved this post while you were editing it. Nothing of either is lost: the other version stays under Versions.'}
      </p>
      <Button variant="secondary" size="sm" onClick={() => run(draft.takeTheirs)}>
        Discard my changes
      </Button>
      <Button variant="secondary" size="sm" onClick={() => run(draft.saveAnyway)}>
        Save mine
      </Button>
    </div>
  )
}
