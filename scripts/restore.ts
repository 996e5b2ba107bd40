/* `npm run restore`: see --help. */
import { runRestoreCommand } from '#server/features/backup/commands/restore-command.ts'

const { env, stdin, stdout, stderr } = process
process.exitCode = await runRestoreCommand({ args: process.argv.slice(2), env, stdin, stdout, stderr })
