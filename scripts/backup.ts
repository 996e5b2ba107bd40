/* `npm run backup`: see --help. */
import { setPriority } from 'node:os'
import { runBackupCommand } from '#server/features/backup/commands/backup-command.ts'

// Below the processes that answer requests.
setPriority(10)
const { env, stdin, stdout, stderr } = process
process.exitCode = await runBackupCommand({ args: process.argv.slice(2), env, stdin, stdout, stderr })
