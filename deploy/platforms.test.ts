import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { Errors } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readStages, root } from './image/read-dockerfile.ts'
import { findUnknownSettings, readAsServer, readDeployFile } from './settings-used.ts'

/*
 * Templates of hosting platforms. Their schemas are in no package: these say which fields the platforms' references have, as far as the
 * templates use them, so that a mistyped field fails. Coolify's is a compose file: compose.test.ts.
 */
const closed = { additionalProperties: false }
const text = Type.String({ minLength: 1 })
const image = readStages().at(-1)

const Railway = Type.Object(
  {
    $schema: Type.Literal('https://railway.com/railway.schema.json'),
    build: Type.Object({ builder: Type.Literal('DOCKERFILE'), dockerfilePath: text }, closed),
    deploy: Type.Object(
      {
        numReplicas: Type.Integer({ minimum: 1 }),
        healthcheckPath: Type.String({ pattern: '^/' }),
        healthcheckTimeout: Type.Integer({ minimum: 1 }),
        restartPolicyType: Type.Enum(['ON_FAILURE', 'ALWAYS', 'NEVER']),
        requiredMountPath: Type.String({ pattern: '^/' }),
      },
      closed,
    ),
  },
  closed,
)

const RenderVariable = Type.Union([
  Type.Object({ key: text, sync: Type.Literal(false) }, closed),
  Type.Object({ key: text, value: text }, closed),
])
const Render = Type.Object(
  {
    services: Type.Array(
      Type.Object(
        {
          ...{ type: Type.Literal('web'), name: text, runtime: Type.Literal('docker'), plan: text },
          ...{ dockerfilePath: text, dockerContext: text, healthCheckPath: Type.String({ pattern: '^/' }) },
          numInstances: Type.Integer({ minimum: 1 }),
          maxShutdownDelaySeconds: Type.Integer({ minimum: 1, maximum: 300 }),
          disk: Type.Object({ name: text, mountPath: Type.String({ pattern: '^/' }), sizeGB: Type.Integer() }, closed),
          envVars: Type.Array(RenderVariable),
        },
        closed,
      ),
    ),
  },
  closed,
)

const OneClick = Type.Object(
  {
    captainVersion: Type.Literal(4),
    services: Type.Record(
      Type.String({ pattern: '^\\$\\$cap_appname' }),
      Type.Object(
        {
          ...{ image: text, restart: Type.Literal('always'), environment: Type.Record(text, Type.String()) },
          volumes: Type.Array(Type.String({ pattern: ':/' })),
          caproverExtra: Type.Object({ containerHttpPort: Type.String({ pattern: '^\\d+$' }) }, closed),
        },
        closed,
      ),
    ),
    caproverOneClickApp: Type.Object(
      {
        ...{ displayName: text, isOfficial: Type.Boolean(), description: Type.String({ maxLength: 200 }) },
        documentation: text,
        instructions: Type.Object({ start: text, end: text }, closed),
        variables: Type.Array(
          Type.Object(
            {
              id: Type.String({ pattern: '^\\$\\$cap_[a-z_]+$' }),
              label: text,
              description: Type.Optional(text),
              defaultValue: Type.Optional(Type.String()),
              validRegex: Type.Optional(Type.String({ pattern: '^/.*/$' })),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
  },
  closed,
)

const CaptainDefinition = Type.Object({ schemaVersion: Type.Literal(2), dockerfilePath: text }, closed)

/** @returns the document, where it has the shape. */
function check<Shape extends Type.TSchema>(shape: Shape, file: string): Type.Static<Shape> {
  const value: unknown = parse(readDeployFile(file))
  const errors = [...Errors(shape, value)].map(({ instancePath, message }) => `${instancePath} ${message}`)
  expect(errors, file).toEqual([])
  return value as Type.Static<Shape>
}

/** A path as the platform reads it, from the root of the repository. */
const exists = (path: string) => existsSync(join(root, path))

describe('the template of', () => {
  it('Railway builds the Dockerfile and keeps the data folder of the image', () => {
    const { build, deploy } = check(Railway, 'railway/railway.json')
    expect(exists(build.dockerfilePath)).toBe(true)
    expect([deploy.requiredMountPath, deploy.healthcheckPath]).toEqual([image?.env.DATA_DIR, '/health'])
  })

  it('Render builds the Dockerfile, keeps its data folder, and sets settings that exist', () => {
    const [service] = check(Render, 'render/render.yaml').services
    expect(exists(service?.dockerfilePath ?? '')).toBe(true)
    expect([service?.disk.mountPath, service?.numInstances]).toEqual([image?.env.DATA_DIR, 1])
    expect(findUnknownSettings(service?.envVars.map(({ key }) => key) ?? [])).toEqual([])
    const values = service?.envVars.flatMap((each) => ('value' in each ? [[each.key, each.value] as const] : [])) ?? []
    expect(() => readAsServer(Object.fromEntries(values))).not.toThrow()
  })

  it('CapRover builds the Dockerfile', () => {
    expect(exists(check(CaptainDefinition, 'caprover/captain-definition').dockerfilePath)).toBe(true)
  })

  it('CapRover’s one-click apps asks for each variable that it uses, and sets settings that exist', () => {
    const { services, caproverOneClickApp: app } = check(OneClick, 'caprover/one-click.yml')
    const [service] = Object.values(services)
    expect(findUnknownSettings(Object.keys(service?.environment ?? {}))).toEqual([])
    expect(service?.volumes).toEqual([`$$cap_appname-data:${image?.env.DATA_DIR}`])
    expect(Number(service?.caproverExtra.containerHttpPort)).toBe(image?.ports[0])
    const used = new Set(readDeployFile('caprover/one-click.yml').match(/\$\$cap_[a-z_]*[a-z]/g))
    const builtIn = ['$$cap_appname', '$$cap_root_domain']
    expect([...used].sort()).toEqual([...builtIn, ...app.variables.map(({ id }) => id)].sort())
  })
})
