import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { createProject } from '#contract/projects.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { findDraftProblems, type ProjectDraft, registerProjectDraft } from './project-draft.ts'
import { projectQuery } from './project-query.ts'
import { reduceToHost } from './typed-domain.ts'

/** Creates a project. For those who may manage projects; the route shows Access Denied to others. */
export default function NewProjectScreen() {
  const form = useForm<ProjectDraft>({ defaultValues: { name: '', domain: '' } })
  const { errors } = form.formState

  const creation = useCreateProject(form)
  const submit = form.handleSubmit(({ name, domain }) => {
    creation.mutate({ name: name.trim(), domain: reduceToHost(domain) })
  })
  const { nameField, domainField } = registerProjectDraft(form)
  const failure = creation.error && findDraftProblems(creation.error).length === 0 ? creation.error : undefined

  return (
    <div className="mx-auto w-full max-w-xl px-4 py-6 sm:px-8 sm:py-8">
      <BackLink to="/dashboard/projects">Projects</BackLink>
      <h1 className="mt-4 font-semibold text-2xl">New project</h1>
      <p className="mt-1 text-base text-muted">
        A project is one website. Its feedback, widget and settings stay together.
      </p>
      <form
        noValidate
        onSubmit={submit}
        className="mt-6 flex flex-col gap-5 rounded-lg border border-border bg-surface p-5 shadow-sm"
      >
        <Field label="Name" error={errors.name?.message} hint="Shown to your team only.">
          {(control) => (
            <Input {...control} {...nameField} placeholder="Marketing website" autoComplete="off" autoFocus />
          )}
        </Field>
        <Field
          label="Domain"
          error={errors.domain?.message}
          hint="The widget works on this domain and its subdomains. Paste any URL; we’ll keep the domain."
        >
          {(control) => (
            <Input
              {...control}
              {...domainField}
              onBlur={(event) => {
                form.setValue('domain', reduceToHost(event.target.value))
                return domainField.onBlur(event)
              }}
              placeholder="example.com"
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
        <div className="flex justify-end gap-2">
          <Button asChild variant="secondary">
            <Link to="/dashboard/projects">Cancel</Link>
          </Button>
          <Button type="submit" loading={creation.isPending || creation.isSuccess}>
            Create project
          </Button>
        </div>
      </form>
    </div>
  )
}

function useCreateProject(form: UseFormReturn<ProjectDraft>) {
  const { organization } = useOrganization()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: ProjectDraft) => call(createProject, { params: { organizationId: organization.id }, body }),
    networkMode: 'always',
    // Not repeated by itself: a lost answer may hide a project that exists.
    retry: false,
    onSuccess: async (project) => {
      queryClient.setQueryData(projectQuery(organization.id, project.id).queryKey, project)
      void queryClient.invalidateQueries({ queryKey: projectsQuery(organization.id).queryKey, exact: true })
      await navigate(`/dashboard/projects/${project.id}?install=1`, { replace: true })
    },
    onError: (error) => {
      for (const [field, message] of findDraftProblems(error)) {
        form.setError(field, { message }, { shouldFocus: true })
      }
    },
  })
}
