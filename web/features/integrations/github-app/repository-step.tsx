import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { connectGithubApp, type GithubApp, type GithubRepository } from '#contract/github-app.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { PickMenu } from '#web/ui/pick-menu.tsx'
import { SettingsBar } from '#web/ui/settings-section.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'
import { integrationsKey } from '../integrations-query.ts'

interface RepositoryProps {
  app: GithubApp
  repositories: readonly GithubRepository[]
  isCut: boolean
  isChecking: boolean
  onCheck: () => void
}

/** The App is installed: the owner selects where issues are created. */
export function RepositoryStep({ app, repositories, isCut, isChecking, onCheck }: RepositoryProps) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const usable = repositories.filter(({ hasIssues }) => hasIssues)
  const [picked, setPicked] = useState<string>()
  const [labels, setLabels] = useState('')
  const [createAutomatically, setAutomatic] = useState(false)
  const repository = picked ?? (usable.length === 1 ? usable[0]?.name : undefined)
  const connecting = useMutation({
    mutationFn: (name: string) =>
      call(connectGithubApp, {
        params: { organizationId: organization.id, githubAppId: app.id },
        body: { repository: name, createAutomatically, ...(labels.trim() !== '' && { labels: labels.trim() }) },
      }),
    networkMode: 'always',
    onSuccess: async ({ id }) => {
      void navigate(`/dashboard/integrations/${id}`, { replace: true })
      toast({ title: 'GitHub is connected', tone: 'success' })
      await queryClient.invalidateQueries({ queryKey: integrationsKey(organization.id) })
    },
  })
  if (usable.length === 0) return <NoRepositories app={app} isChecking={isChecking} onCheck={onCheck} />
  return (
    <Card className="mt-6">
      <CardHeader>
        <CardTitle>Select a repository</CardTitle>
        <CardDescription>
          Issues are created there.{' '}
          {isCut ? 'The list shows the first 1,000 repositories: let the App use fewer if yours is missing.' : ''}
        </CardDescription>
      </CardHeader>
      <form
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (repository !== undefined && !connecting.isPending) connecting.mutate(repository)
        }}
      >
        <CardContent className="flex flex-col gap-4">
          <RepositoryPicker repositories={usable} selected={repository} onSelect={setPicked} />
          <Field label="Labels" aside="Optional" hint="For new issues, separated by commas.">
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                placeholder="feedback"
                maxLength={500}
                value={labels}
                onChange={({ currentTarget }) => setLabels(currentTarget.value)}
              />
            )}
          </Field>
          <SwitchRow
            label="Create an issue for every new item"
            hint="You can limit it to some feedback afterwards."
            checked={createAutomatically}
            onChange={setAutomatic}
          />
          {connecting.error && (
            <p
              role="alert"
              className="rounded-md bg-danger-soft px-4 py-3 text-base text-danger-text [overflow-wrap:anywhere]"
            >
              {connecting.error.message}
            </p>
          )}
        </CardContent>
        <SettingsBar>
          <Button type="submit" disabled={repository === undefined} loading={connecting.isPending}>
            Connect GitHub Issues
          </Button>
        </SettingsBar>
      </form>
    </Card>
  )
}

function RepositoryPicker({
  repositories,
  selected,
  onSelect,
}: {
  repositories: readonly GithubRepository[]
  selected: string | undefined
  onSelect: (name: string) => void
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <span aria-hidden="true" className="font-medium text-base">
        Repository
      </span>
      <PickMenu
        label="Repository"
        placeholder="Search repositories"
        emptyText="No repositories."
        open={isOpen}
        onOpenChange={setOpen}
        options={repositories.map(({ name }) => ({
          value: name,
          label: name,
          state: name === selected ? 'on' : 'off',
        }))}
        onPick={onSelect}
      >
        <Button
          variant="secondary"
          aria-label={`Repository: ${selected ?? 'Select'}`}
          className="w-full justify-between border-border-strong px-3 font-normal"
        >
          <bdi className={cn('min-w-0 truncate', selected === undefined && 'text-muted')}>{selected ?? 'Select'}</bdi>
          <ChevronDown aria-hidden="true" className="text-muted" />
        </Button>
      </PickMenu>
    </div>
  )
}

function NoRepositories({ app, isChecking, onCheck }: Pick<RepositoryProps, 'app' | 'isChecking' | 'onCheck'>) {
  return (
    <Card className="mt-6">
      <CardHeader>
        <CardTitle>No repository with issues</CardTitle>
        <CardDescription>
          The App may use no repository in which issues are turned on. Add one on GitHub, or turn on its issues.
        </CardDescription>
      </CardHeader>
      <CardContent className="flex flex-wrap gap-3">
        <Button asChild>
          <a href={app.installUrl}>
            Add repositories on GitHub
            <ExternalLink aria-hidden="true" />
          </a>
        </Button>
        <Button variant="secondary" loading={isChecking} onClick={onCheck}>
          Check again
        </Button>
      </CardContent>
    </Card>
  )
}
