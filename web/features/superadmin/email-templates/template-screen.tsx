import { useQuery } from '@tanstack/react-query'
import { MailX } from 'lucide-react'
import { BackLink } from '#web/ui/back-link.tsx'
import { DetailFailure } from '#web/ui/detail-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TemplateEditor } from './template-editor.tsx'
import { templateQuery } from './template-queries.ts'

const back = { to: '/dashboard/superadmin/email-templates', label: 'Email templates' }

/** One template, to be edited. */
export function TemplateScreen({ id }: { id: string }) {
  const { data: template, error, refetch } = useQuery(templateQuery(id))
  return (
    <div className="flex flex-1 flex-col gap-4">
      <BackLink to={back.to}>{back.label}</BackLink>
      {template ? (
        <TemplateEditor key={template.id} opened={template} />
      ) : error ? (
        <DetailFailure
          error={error}
          failure="Couldn’t load this template"
          onRetry={() => void refetch()}
          icon={<MailX />}
          title="Template not found"
          back={back}
        >
          Another version of Earshot may have had this email.
        </DetailFailure>
      ) : (
        <output className="flex flex-col gap-4">
          <span className="sr-only">Loading the template</span>
          <Skeleton className="h-9 w-80 max-w-full" />
          <Skeleton className="h-96" />
        </output>
      )}
    </div>
  )
}
