import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { createProject } from '#contract/projects.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { projectQuery } from './project-query.ts'
import { findDomainProblem, reduceToHost } from './typed-domain.ts'

interface Draft {
  name: string
  domain: string
}

/** Creates a project. For those who may manage projects; the route shows Access Denied to others. */
export default function NewProjectScreen() {
  const { organization } = useOrganization()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useForm<Draft>({ defaultValues: { name: '', domain: '' } })
  const { errors } = form.formState

  const creation = useMutation({
    mutationFn: (body: Draft) => call(createProject, { params: { organizationId: organization.id }, body }),
    networkMode: 'always',
    // Not repeated by itself: a lost answer may hide a project that exists.
    retry: false,
    onSuccess: async (project) => {
      queryClient.setQueryData(projectQuery(organization.id, project.id).queryKey, project)
      void queryClient.invalidateQueries({ queryKey: projectsQuery(organization.id).queryKey, exact: true })
      await navigate(`/dashboard/projects/${project.id}?install=1`, { replace: true })
    },
    onError: (error) => {
      for (const [field, message] of findFieldProblems(error)) {
        form.setError(field, { message }, { shouldFocus: true })
      }
    },
  })

  const submit = form.handleSubmit(({ name, domain }) => {
    creation.mutate({ name: name.trim(), domain: reduceToHost(domain) })
  })
  // In the order of the page: the first field that is wrong gets the focus.
  const nameField = form.register('name', {
    validate: (value) => value.trim() !== '' || 'Give the project a name.',
    maxLength: { value: 100, message: 'At most 100 characters.' },
  })
  const domainField = form.register('domain', { validate: (value) => findDomainProblem(value) ?? true })
  const failure = creation.error && findFieldProblems(creation.error).length === 0 ? creation.error : undefined

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
        <Field label="Name" error={errors.name?.message} hint="What your team calls it.">
          {(control) => (
            <Input {...control} {...nameField} placeholder="Marketing website" autoComplete="off" autoFocus />
          )}
        </Field>
        <Field
          label="Domain"
          error={errors.domain?.message}
          hint="The widget works on this domain and its subdomains. A pasted address is shortened."
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

/** What the server refused, by the field it stands at. */
function findFieldProblems(error: Error): [keyof Draft, string][] {
  if (!(error instanceof ApiError)) return []
  if (error.code === 'project_domain_taken') return [['domain', error.message]]
  return (['name', 'domain'] as const).flatMap((field): [keyof Draft, string][] => {
    const message = error.findFieldMessage(field)
    return message === undefined ? [] : [[field, `The ${field} ${message}.`]]
  })
}
