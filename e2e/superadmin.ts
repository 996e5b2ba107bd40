import { changeRows } from './product-database.ts'
import { createTeam, type Team, test as teamTest } from './team.ts'

/** As the team's owner, who is a superadmin too. */
export const test = teamTest.extend<object, { team: Team }>({
  team: [
    async ({ browser }, use) => {
      const team = await createTeam(browser)
      await changeRows(
        `insert into app.superadmins (user_id) select user_id from memberships where organization_id = $1
         on conflict do nothing`,
        [team.organizationId],
      )
      await use(team)
    },
    { scope: 'worker' },
  ],
})
