import { changeRows } from './product-database.ts'

/** Ends a membership as an owner: there is no screen for it yet. */
export async function removeMember(email: string): Promise<void> {
  const statement = 'delete from memberships where user_id = (select id from auth.users where email = $1)'
  const count = await changeRows(statement, [email])
  if (count !== 1) throw new Error(`${count} memberships of ${email}`)
}
