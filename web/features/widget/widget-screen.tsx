import { useQuery } from '@tanstack/react-query'
import { CircleAlert, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
import type { WidgetConfig } from '#contract/widget-config.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/ui/tabs.tsx'
import { CaptureSettings } from './capture-settings.tsx'
import { IdentitySecret } from './identity-secret.tsx'
import { LookSettings } from './look-settings.tsx'
import { PrivacySettings } from './privacy-settings.tsx'
import { QuestionSettings } from './question-settings.tsx'
import type { Saving } from './use-draft-saving.ts'
import { useWidgetDraft, type WidgetDraft } from './use-widget-draft.ts'
import { WidgetPreview } from './widget-preview.tsx'
import { widgetQuery } from './widget-queries.ts'
import { WordsSettings } from './words-settings.tsx'

interface WidgetScreenProps {
  /** Where the widget works and how it gets there: the projects' own part. */
  installation: ReactNode
}

/** A project's widget: its settings beside the real thing, and the way to visitors. */
export default function WidgetScreen({ installation }: WidgetScreenProps) {
  const { projectId = '' } = useParams()
  const { organization } = useOrganization()
  const { data: config, error, refetch } = useQuery(widgetQuery(organization.id, projectId))
  if (config) {
    return (
      <WidgetWork
        key={projectId}
        organizationId={organization.id}
        projectId={projectId}
        config={config}
        installation={installation}
      />
    )
  }
  if (error) return <LoadFailure title="Couldn’t load the widget" error={error} onRetry={() => refetch()} />
  return (
    <output className="mt-15 grid gap-6 lg:grid-cols-[30rem_1fr]">
      <span className="sr-only">Loading widget</span>
      <Skeleton className="h-160 rounded-lg" />
      <Skeleton className="h-160 rounded-lg" />
    </output>
  )
}

/** Groups of settings that show in the panel, which the preview opens for them. */
const groupsOfPanel: ReadonlySet<string> = new Set(['questions', 'capture', 'words'])

function WidgetWork({
  organizationId,
  projectId,
  config,
  installation,
}: WidgetScreenProps & { organizationId: string; projectId: string; config: WidgetConfig }) {
  const { can } = useOrganization()
  const mayChange = can('manage_projects')
  const draft = useWidgetDraft(organizationId, projectId, config)
  const [group, setGroup] = useState('look')
  const part = { settings: draft.settings, change: draft.change }
  const groups = [
    { id: 'look', name: 'Appearance', content: <LookSettings {...part} /> },
    { id: 'questions', name: 'Questions', content: <QuestionSettings {...part} /> },
    { id: 'capture', name: 'Attachments', content: <CaptureSettings {...part} /> },
    { id: 'privacy', name: 'Privacy', content: <PrivacySettings {...part} /> },
    { id: 'words', name: 'Text', content: <WordsSettings {...part} /> },
  ]
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <h2 className="sr-only">Widget</h2>
        <Standing config={config} hasChanges={draft.hasChanges} />
        {mayChange && <DraftActions config={config} draft={draft} />}
      </div>
      <div className="mt-6 grid min-h-0 items-start gap-6 lg:grid-cols-[30rem_1fr]">
        <Tabs
          value={group}
          onValueChange={setGroup}
          className="min-w-0 rounded-lg border border-border bg-surface shadow-sm"
        >
          <TabsList aria-label="Settings" className="gap-0 px-2 pt-1">
            {groups.map(({ id, name }) => (
              <TabsTrigger key={id} value={id}>
                {name}
              </TabsTrigger>
            ))}
            <TabsTrigger value="install">Install</TabsTrigger>
          </TabsList>
          {groups.map(({ id, name, content }) => (
            <TabsContent key={id} value={id} className="p-5">
              <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-5">
                <legend className="sr-only">{name}</legend>
                {!mayChange && <p className="text-base text-muted">Only owners can change the widget.</p>}
                {content}
              </fieldset>
            </TabsContent>
          ))}
          <TabsContent value="install" className="flex flex-col gap-6 p-5">
            {installation}
            {mayChange && <IdentitySecret organizationId={organizationId} projectId={projectId} />}
          </TabsContent>
        </Tabs>
        <div className="flex min-w-0 lg:sticky lg:top-8 lg:h-[calc(100dvh-18rem)] lg:min-h-128">
          <WidgetPreview
            widgetKey={config.widgetKey}
            draftToken={config.draftToken}
            isPanelShown={groupsOfPanel.has(group)}
          />
        </div>
      </div>
    </>
  )
}

/** Buttons for the draft: discard it, undo the last publishing, publish. */
function DraftActions({ config, draft }: { config: WidgetConfig; draft: WidgetDraft }) {
  return (
    <div data-keep-clear className="flex flex-wrap items-center gap-2">
      {draft.hasChanges && <SavingNote saving={draft.saving} onRetry={draft.retry} />}
      {draft.hasChanges ? (
        <Button variant="ghost" disabled={draft.isBusy} onClick={draft.discard}>
          Discard
        </Button>
      ) : (
        config.canUndo && (
          <Button variant="ghost" disabled={draft.isBusy} onClick={draft.undo}>
            <Undo2 aria-hidden="true" />
            Undo publishing
          </Button>
        )
      )}
      <Button
        onClick={draft.publish}
        loading={draft.isBusy}
        disabled={!draft.hasChanges || draft.saving === 'incomplete' || draft.saving === 'failed'}
      >
        Publish
      </Button>
    </div>
  )
}

function Standing({ config, hasChanges }: { config: WidgetConfig; hasChanges: boolean }) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-base text-muted">
      {hasChanges && <Badge tone="warning">Unpublished changes</Badge>}
      {config.publishedAt === null ? (
        'Default settings'
      ) : (
        <span>
          Published <RelativeTime iso={config.publishedAt} />
          {config.publishedBy !== null && (
            <>
              {' by '}
              <bdi>{config.publishedBy}</bdi>
            </>
          )}
        </span>
      )}
    </p>
  )
}

const savingWords: Record<Saving, string> = {
  saving: 'Saving…',
  saved: 'Draft saved',
  incomplete: 'Not saved: a field is incomplete',
  failed: 'Couldn’t save',
}

function SavingNote({ saving, onRetry }: { saving: Saving; onRetry: () => void }) {
  const isBad = saving === 'incomplete' || saving === 'failed'
  return (
    <output className={`flex items-center gap-1.5 text-sm ${isBad ? 'text-danger-text' : 'text-muted'}`}>
      {isBad && <CircleAlert aria-hidden="true" className="size-4" />}
      {savingWords[saving]}
      {saving === 'failed' && (
        <Button variant="link" size="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </output>
  )
}
