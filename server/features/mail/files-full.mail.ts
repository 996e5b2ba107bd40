import { type RenderedMail, renderMail } from './mail-layout.ts'
import { type Frame, makeNotes } from './notification.mail.ts'
import { quoteName } from './quote-name.ts'

/** Tells an owner that visitors' files are refused. `projectName` null: in all projects. */
export function renderFilesFull({ projectName }: { projectName: string | null }, frame: Frame): RenderedMail {
  const name = quoteName(projectName ?? frame.organizationName)
  return renderMail({
    kind: 'files_full',
    subject: `${name}: storage for files is full`,
    preview: 'Visitors’ files are refused. Text feedback still arrives.',
    title: 'Storage for files is full',
    paragraphs: [
      `${name} has no room for a visitor’s file, so the file was refused. Text feedback still arrives.`,
      'The visitor’s browser keeps the file and tries again later. To make room, delete feedback that has large files, then empty the trash.',
    ],
    strong: [name],
    action: { label: 'View storage', url: `${frame.appUrl}/dashboard/settings/storage` },
    notes: makeNotes(frame, 'You get this email because you own this organisation. It is sent at most once a day.'),
    appUrl: frame.appUrl,
  })
}
