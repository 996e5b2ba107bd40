import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { TemplateDraft } from './use-template-draft.ts'
import { WordsDifference } from './words-difference.tsx'

const noteStyle = 'flex flex-col gap-3 rounded-md bg-warning-soft px-3 py-2 text-base text-warning-text'

/** What the writer must know before they edit: a conflict, words that are not used, a new default, another sender. */
export function TemplateNotes({ draft }: { draft: TemplateDraft }) {
  const { template, isConflict } = draft
  const labels = Object.fromEntries(template.fields.map(({ name, label }) => [name, label]))
  return (
    <>
      {isConflict && <ConflictNote draft={draft} />}
      {template.isSentBySupabase && (
        <p className={noteStyle}>
          Your Supabase project sends this email. Words saved here are not used. Change them in Supabase under
          Authentication → Emails.
        </p>
      )}
      {template.state === 'broken' && (
        <p role="alert" className={noteStyle}>
          The saved words are not used, because this version of Earshot lacks something in them. The default is sent
          instead. Correct the marked texts, then save.
        </p>
      )}
      {template.formerDefaultWords && (
        <details className={noteStyle}>
          <summary className="cursor-pointer">
            The default has changed since your edit. Show the difference. It is gone after the next save.
          </summary>
          <div className="mt-3 text-foreground">
            <WordsDifference
              before={template.formerDefaultWords}
              after={template.defaultWords}
              labels={labels}
              same="No text differs."
            />
          </div>
        </details>
      )}
    </>
  )
}

/** Someone else has saved other words meanwhile: which of them stand is for the writer to say. */
function ConflictNote({ draft }: { draft: TemplateDraft }) {
  const [error, setError] = useState<Error>()
  const run = (act: () => Promise<void>) => {
    setError(undefined)
    act().catch(setError)
  }
  return (
    <div role="alert" className={noteStyle}>
      <p>
        {error?.message ??
          'Someone else saved this email while you were editing it. Nothing of either is lost: the other words stay under Versions.'}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={() => run(draft.takeTheirs)}>
          Discard my changes
        </Button>
        <Button variant="secondary" size="sm" onClick={() => run(draft.saveAnyway)}>
          Save mine
        </Button>
      </div>
    </div>
  )
}
