import type { Project } from '#contract/projects.ts'
import { buildWidgetPolicy } from '#contract/widget-policy.ts'
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
        <TabsContent key={guide.id} value={guide.id} className="pt-4">
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
        </TabsContent>
      ))}
      <PolicyHelp appUrl={appUrl} />
    </Tabs>
  )
}

/** For sites with a Content-Security-Policy: the sources that the widget needs. */
function PolicyHelp({ appUrl }: { appUrl: string }) {
  return (
    <details className="mt-4 text-base">
      <summary className="cursor-pointer rounded-sm py-1 text-muted hover:text-foreground">
        Does your site have a Content-Security-Policy?
      </summary>
      <p className="mt-2 text-muted">
        Add these sources to your policy. If it uses a nonce, add the nonce to the script tag as well.
      </p>
      <CodeBlock code={buildWidgetPolicy(new URL(appUrl).origin)} label="Content-Security-Policy" className="mt-3" />
    </details>
  )
}
