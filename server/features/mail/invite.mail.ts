import { codeIntro, formatLife, type LinkMail } from './link-mail.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'

/** The invitation that an administrator of the instance sends: accepting it makes the account usable. */
export function renderInvite({ appUrl, to, link, code, validMinutes }: LinkMail): RenderedMail {
  const { host } = new URL(appUrl)
  return renderMail({
    kind: 'invite',
    subject: 'Your invitation to Earshot',
    preview: 'An account is waiting for you.',
    title: 'You are invited to Earshot',
    paragraphs: [
      `An administrator of ${host} made an account for ${to}. Accept the invitation, and it is yours.`,
      'Earshot is where a team reads and answers what the visitors of its website say.',
    ],
    strong: [to],
    action: { label: 'Accept invitation', url: link },
    code: { intro: codeIntro, value: code },
    notes: [
      `The link and the code work once, for ${formatLife(validMinutes)}.`,
      'You did not expect this? Then ignore this mail: the account can’t be used until you accept.',
    ],
    appUrl,
  })
}
