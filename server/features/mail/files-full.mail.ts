import type { RenderedMail } from './mail-layout.ts'
import type { Frame } from './notification.mail.ts'
import { quoteName } from './quote-name.ts'
import { openTemplate } from './templates/open-template.ts'
import { filesFull } from './templates/team.templates.ts'

/** Tells an owner that visitors' files are refused. `projectName` null: in all projects. */
export function renderFilesFull({ projectName }: { projectName: string | null }, frame: Frame): RenderedMail {
  const { appUrl, unsubscribeUrl } = frame
  const place = quoteName(projectName ?? frame.organizationName)
  return openTemplate(filesFull, appUrl).render({
    ...{ appUrl, unsubscribeUrl, values: { place }, strong: [place] },
    action: { url: `${appUrl}/dashboard/settings/storage` },
  })
}
