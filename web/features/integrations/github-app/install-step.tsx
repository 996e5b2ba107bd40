import { ExternalLink } from 'lucide-react'
import type { GithubApp } from '#contract/github-app.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'

interface InstallProps {
  app: GithubApp
  /** Someone else has to approve the installation. */
  wasRequested: boolean
  isChecking: boolean
  onCheck: () => void
}

/** The App exists, and is installed nowhere. */
export function InstallStep({ app, wasRequested, isChecking, onCheck }: InstallProps) {
  return (
    <Card className="mt-6">
      <CardHeader>
        <CardTitle className="[overflow-wrap:anywhere]">
          Install <bdi>{app.name}</bdi> on GitHub
        </CardTitle>
        <CardDescription>
          {wasRequested
            ? 'An owner of the GitHub organisation has to approve the installation. Check again when they have.'
            : 'Select the repositories that the App may use. One is enough.'}
        </CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        <div className="flex flex-wrap gap-3">
          <Button asChild variant={wasRequested ? 'secondary' : 'primary'}>
            <a href={app.installUrl}>
              Install on GitHub
              <ExternalLink aria-hidden="true" />
            </a>
          </Button>
          <Button variant={wasRequested ? 'primary' : 'secondary'} loading={isChecking} onClick={onCheck}>
            Check again
          </Button>
        </div>
        <p className="text-muted text-sm">
          You can leave this page and continue later, until {formatDay(app.expiresAt)}.
        </p>
      </CardContent>
    </Card>
  )
}
