/* `npm run backup`: see --help. */
import { runBackupCommand } from '#server/features/backup/commands/backup-command.ts'

const { env, stdin, stdout, stderr } = process
process.exitCode = await runBackupCommand({ args: process.argv.slice(2), env, stdin, stdout, stderr })
