const maxSenderNameLength = 100

/** A project's name as the sender of emails to its visitors. */
export function toSenderName(projectName: string): string {
  return projectName
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, maxSenderNameLength)
    .toWellFormed()
}
