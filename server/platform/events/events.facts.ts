import { type Facts, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0012_events.sql': '35475ecb579c14f50cb086220498f7176ee417bea6505660436c6968ace32e4c',
  },
  tables: {
    'app.events': {
      rights: ['----', '----', '----', '----', 's-ud'],
      row: inOrganization,
      change: 'dispatched_at = now()',
      add: ({ organizationId }) =>
        `(organization_id, name, ids, announced) values ('${organizationId}', 'feedback.created', '{}', 'never')`,
    },
  },
  withoutCanary: { 'app.events.name': 'Names an event of the code.' },
  functions: {
    'app.record_event(uuid,text,uuid[],jsonb,text,uuid)': ['authenticated', 'earshot_api_key', 'service_role'],
    'app.send_live_message(uuid,text,uuid[])': ['authenticated', 'authenticator', 'earshot_api_key', 'service_role'],
    // Parts of the above, and of triggers, called by their owner alone.
    'app.announce_events()': [],
    'app.gather_payloads(jsonb,jsonb)': [],
    'app.write_event(uuid,text,uuid[],jsonb,text,uuid)': [],
  },
}
