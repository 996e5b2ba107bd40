import { codeIntro, formatLife, type LinkMail } from './link-mail.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'
import { formatMoment } from './requester.ts'

/** The invitation that an administrator of the instance sends: accepting it makes the account usable. */
export function renderInvite({ appUrl, to, link, code, validMinutes, requester }: LinkMail): RenderedMail {
  const { host } = new URL(appUrl)
  return renderMail({
    kind: 'invite',
    subject: 'Your invitation to Earshot',
    preview: 'Your account is ready.',
    title: 'You are invited to Earshot',
    paragraphs: [
      `An administrator of ${host} invited ${to} on ${formatMoment(requester.at)}. Accept the invitation to use your account.`,
      'With Earshot, a team reads and answers feedback from its website’s visitors.',
    ],
    strong: [to],
    action: { label: 'Accept invitation', url: link },
    code: { intro: codeIntro, value: code },
    notes: [
      `The link and the code work once, for ${formatLife(validMinutes)}.`,
      'Not expecting this? You can ignore this email: the account can’t be used until you accept.',
    ],
    appUrl,
  })
}
