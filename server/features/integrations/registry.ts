import type { IntegrationDefinition } from './define-integration.ts'
import { asana } from './types/asana.ts'
import { azureDevops } from './types/azure-devops.ts'
import { clickup } from './types/clickup.ts'
import { discord } from './types/discord.ts'
import { email } from './types/email.ts'
import { github } from './types/github.ts'
import { gitlab } from './types/gitlab.ts'
import { jira } from './types/jira.ts'
import { linear } from './types/linear.ts'
import { ntfy } from './types/ntfy.ts'
import { slack } from './types/slack.ts'
import { slackApp } from './types/slack-app.ts'
import { teams } from './types/teams.ts'
import { trello } from './types/trello.ts'
import { webhook } from './types/webhook.ts'

/** Every service that can be connected, in the order in which they are offered. A new one gets a line here. */
const definitions: readonly IntegrationDefinition[] = [
  webhook,
  slack,
  slackApp,
  discord,
  teams,
  email,
  ntfy,
  github,
  gitlab,
  linear,
  trello,
  asana,
  clickup,
  azureDevops,
  jira,
]

export const integrationDefinitions = definitions

/** Undefined: no such type, or one that a later version of Earshot has. */
export function findDefinition(type: string): IntegrationDefinition | undefined {
  return definitions.find((definition) => definition.type === type)
}
