import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFeedback, createMember, createProject, createUser } from './builders.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

// What every other test stands on.
describe('startTestServer', () => {
  it('serves people, projects and feedback that builders made', async () => {
    const owner = await createUser(server.client, { organizationName: 'Analytical Engines' })
    const organizationId = owner.organizationId ?? ''
    const project = await createProject(server.client, { organizationId })
    const feedback = await createFeedback(server.client, { organizationId, projectId: project.id })
    const viewer = await createMember(server.client, { organizationId, role: 'viewer' })
    for (const person of [owner, viewer]) {
      const token = await server.signIn(person)
      const reply = await server.call(`/api/v1/organizations/${organizationId}/feedback`, { token })
      expect(reply.status).toBe(200)
      expect(await reply.json()).toMatchObject({ items: [{ id: feedback.id, number: 1 }] })
    }
    const stranger = await server.signIn(await createUser(server.client))
    expect((await server.call(`/api/v1/organizations/${organizationId}/feedback`, { token: stranger })).status).toBe(
      404,
    )
  })

  it('shows the emails that the product would send', async () => {
    const reply = await server.call('/auth/v1/signup', {
      body: { email: 'grace@example.com', password: 'secret123', data: { organization_name: 'Navy' } },
    })
    expect(reply.status).toBe(200)
    expect(await server.mails()).toMatchObject([{ kind: 'confirm_sign_up', to: 'grace@example.com' }])
  })
})
