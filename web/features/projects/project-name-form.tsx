import { useForm } from 'react-hook-form'
import type { Project } from '#contract/projects.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { findDraftProblems, type ProjectDraft, registerProjectDraft } from './project-draft.ts'
import { reduceToHost } from './typed-domain.ts'
import { useProjectChange } from './use-project-change.ts'

/** What the project is called, and on which domain its widget works. */
export function ProjectNameForm({ project }: { project: Project }) {
  const change = useProjectChange(project)
  const form = useForm<ProjectDraft>({ values: { name: project.name, domain: project.domain } })
  const { errors, isDirty } = form.formState
  const submit = form.handleSubmit(({ name, domain }) => {
    change.mutate(
      { name: name.trim(), domain: reduceToHost(domain) },
      {
        onSuccess: () => toast({ title: 'Project saved', tone: 'success' }),
        onError: (error) => {
          for (const [field, message] of findDraftProblems(error))
            form.setError(field, { message }, { shouldFocus: true })
        },
      },
    )
  })
  const { nameField, domainField } = registerProjectDraft(form)
  const failure = change.error && findDraftProblems(change.error).length === 0 ? change.error : undefined
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field label="Name" error={errors.name?.message} hint="Shown to your team only.">
        {(control) => <Input {...control} {...nameField} autoComplete="off" />}
      </Field>
      <Field
        label="Domain"
        error={errors.domain?.message}
        hint="The widget works on this domain and its subdomains. A change reaches your pages within seconds."
      >
        {(control) => (
          <Input
            {...control}
            {...domainField}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      {failure && (
        <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-base text-danger-text">
          {failure.message}
        </p>
      )}
      <Button type="submit" className="self-start" disabled={!isDirty} loading={change.isPending}>
        Save
      </Button>
    </form>
  )
}
