import { findEmailProblem } from './email-address.ts'

/** The fields of the contact form, as they were filled in. */
interface ContactFields {
  readonly name: string
  readonly email: string
  readonly message: string
}

/** The error of each field, in words; a correct field is left out. */
export function checkContact({ name, email, message }: ContactFields): Partial<Record<keyof ContactFields, string>> {
  const emailProblem = findEmailProblem(email.trim())
  return {
    ...(name.trim() === '' && { name: 'Enter your name.' }),
    ...(emailProblem !== undefined && { email: emailProblem }),
    ...(message.trim() === '' && { message: 'Write a message.' }),
  }
}
