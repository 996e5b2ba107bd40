import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'
import { addMetrics } from './metrics-routes.ts'

describe('GET /metrics', () => {
  it('does not exist unless enabled', async () => {
    const app = Fastify()
    addMetrics(app, null)
    expect((await app.inject('/metrics')).statusCode).toBe(404)
  })

  it('shows durations by route pattern and status class, submissions, connections and the process', async () => {
    const metrics = createMetrics()
    const app = Fastify()
    addMetrics(app, metrics)
    app.get('/e/:key', async (_request, reply) => reply.code(201).send({}))
    metrics.watchPool('web', () => ({ total: 5, idle: 3, waiting: 1 }))
    metrics.countIngest('accepted', 3)
    metrics.countIngest('refused')
    await app.inject('/e/secret-1')
    await app.inject('/e/secret-2')
    await app.inject('/nowhere/1')
    const reply = await app.inject('/metrics')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toContain('text/plain; version=0.0.4')
    expect(reply.body).toContain(
      'earshot_http_request_duration_seconds_count{method="GET",route="/e/:key",status="2xx"} 2',
    )
    expect(reply.body).toContain('route="unmatched",status="4xx"} 1')
    expect(reply.body).toContain('earshot_ingest_submissions_total{outcome="accepted"} 3')
    expect(reply.body).toContain('earshot_database_connections{pool="web",state="idle"} 3')
    expect(reply.body).toContain('process_cpu_user_seconds_total')
    expect(reply.body).not.toMatch(/secret-1|nowhere/)
  })

  it('keeps the counts of two servers apart', async () => {
    const first = createMetrics()
    const second = createMetrics()
    first.countIngest('accepted')
    expect((await second.print()).text).not.toContain('outcome="accepted"')
  })
})
