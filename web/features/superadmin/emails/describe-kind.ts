/** A kind of email in words: `confirm_sign_up` is “Confirm sign up”. */
export function describeKind(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')
}
