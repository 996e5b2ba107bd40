import type { Project } from '#contract/projects.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/ui/tabs.tsx'
import { buildInstallGuides } from './install-snippets.ts'
import { useAppUrl } from './use-app-url.ts'

/** Installation guides, one per platform. */
export function InstallGuides({ project }: { project: Project }) {
  const appUrl = useAppUrl()
  const guides = buildInstallGuides(appUrl, project.widgetKey)
  return (
    <Tabs defaultValue="html">
      <TabsList aria-label="Where to install">
        {guides.map((guide) => (
          <TabsTrigger key={guide.id} value={guide.id}>
            {guide.title}
          </TabsTrigger>
        ))}
      </TabsList>
      {guides.map((guide) => (
        <TabsContent key={guide.id} value={guide.id} className="pt-4 sm:min-h-72">
          {guide.steps.map((step) => (
            <p key={step} className="text-base text-muted">
              {step}
            </p>
          ))}
          {guide.file !== undefined && <p className="mt-3 font-mono text-muted text-sm">{guide.file}</p>}
          <CodeBlock
            code={guide.code}
            label={`Code for ${guide.title}`}
            className={guide.file === undefined ? 'mt-3' : 'mt-1'}
          />
          <p className="mt-3 text-muted text-sm">
            With a Content-Security-Policy, allow <code className="font-mono text-foreground">{appUrl}</code> in
            script-src and connect-src.
          </p>
        </TabsContent>
      ))}
    </Tabs>
  )
}
