import { type EmailTemplateGroup, emailTemplateGroups } from '#contract/email-templates.ts'
import { listVariables } from '#server/features/mail/templates/describe-template.ts'
import type { Template } from '#server/features/mail/templates/template.ts'
import { templates } from '#server/features/mail/templates/templates.ts'

const headings: Readonly<Record<EmailTemplateGroup, string>> = {
  all: 'All emails',
  sign_in: 'Sign-in',
  team: 'Team',
  feedback: 'Feedback',
  billing: 'Billing',
  operation: 'Operation',
}

/** The guide to email templates, with all templates and their variables. */
export function printEmailTemplatesGuide(): string {
  return `---
title: Email templates
description: Change the words of the emails that an instance sends, look at them, and carry them to another instance.
section: Run Earshot
order: 17
---

# Email templates

Superadmins change the words of every email under *Superadmin → Email templates*. Addresses, codes, buttons, lists and quotes stay
where they are: an email can't lose its link.

## Change an email

1. Select the email. Its sentence says when it is sent, and to whom.
2. Edit its texts. In *Text* and *Small print*, a blank line begins a paragraph.
3. Look at it in *Preview*: light, dark, on a phone, and as plain text. Where an email has several forms, select the data above it.
4. Select *Send test*. The email goes to your own address, marked as a test, once in 10 seconds. The line beside the button says
   whether it was sent, and leads to [email monitoring](emails.md).
5. Select *Save*. The next email has the new words, a second later at most.

The audit log of the instance records who changed, reset, imported and tested which email.

## Variables

\`{{email}}\` in a text stands for the recipient's address. The list below the texts has all variables with their meaning and an
example; select one to insert it. There are no conditions, loops or formats.

- A variable that the email does not have is refused. The error suggests the nearest one.
- Values are text. So is markup that you write: \`<b>\` shows as \`<b>\`.
- *Other texts* have a condition: an entry such as “Shown when the network of the request is known” is a variable of the texts above,
  and is empty otherwise. An empty variable leaves no double space, and no empty paragraph.
- \`{{product}}\` is the name of the product. Change it once, in *All emails → Every email*, and all emails have it.
- Dates, amounts, durations and roles are written in English.

## Versions

Every save is kept, with its time and author. *Versions* compares one with the words now, the default or another version, and restores
it. *Reset to default* gives an email Earshot's own words; the words before stay under *Versions*.

If someone else saved the email while you were editing it, nothing is overwritten: keep theirs, or save yours.

## After an update

- If a newer Earshot has other default words, your words stay. The template is marked *New default*, and shows what differs until the next
  save.
- If a newer Earshot lacks a variable that your words use, the email is sent with its default words. The template is marked *Not used*,
  and the [doctor](monitoring.md) warns. Correct the marked text, then save.

## Carry words to another instance

*Export* downloads all changed words as JSON. *Import* reads such a file on another instance, checks every text, and shows what would
change. If one text is wrong, nothing is imported.

## With Supabase

With \`SUPABASE_URL\`, your Supabase project sends the emails of the group *Sign-in*. Change their words in Supabase under *Authentication →
Emails*.

## All templates

Every template also has \`product\` and \`host\`.

${emailTemplateGroups.map(printGroup).join('\n\n')}
`
}

function printGroup(group: EmailTemplateGroup): string {
  return `### ${headings[group]}

| Email | Name | When | Variables |
|---|---|---|---|
${templates
  .filter((template) => template.group === group)
  .map(printTemplate)
  .join('\n')}`
}

function printTemplate(template: Template): string {
  const { id, title, sentence } = template
  const names = listVariables(template, 'https://earshot.example')
    .map(({ name }) => name)
    .filter((name) => name !== 'product' && name !== 'host')
  return `| ${title} | \`${id}\` | ${sentence} | ${names.map((name) => `\`${name}\``).join(', ') || '–'} |`
}
