import { type Facts, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0029_idempotent_requests.sql': 'c28ed86289886d5c39165028363005a0aa27d3daafc32f1843b411b56371dd82',
  },
  tables: {
    'app.idempotent_requests': {
      rights: ['----', '----', '----', '----', 's--d'],
      keyRights: 'siud',
      make: ({ organizationId, projectId }) =>
        `insert into app.idempotent_requests (organization_id, project_id, key_hash, request_hash)
         values ('${organizationId}', '${projectId}', sha256('made'), sha256('made')) on conflict do nothing`,
      row: inOrganization,
      change: 'started_at = now()',
      add: ({ organizationId, projectId }) =>
        `(organization_id, project_id, key_hash, request_hash)
         values ('${organizationId}', '${projectId}', sha256(convert_to(gen_random_uuid()::text, 'UTF8')), sha256('x'))`,
    },
  },
  withoutCanary: {
    'app.idempotent_requests.body': 'Is there with its status alone; keys read it again only with the same request.',
  },
}
