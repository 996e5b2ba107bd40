import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Service } from 'kubernetes-models/v1/Service'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readStages, root } from '../image/read-dockerfile.ts'
import { findUnknownSettings, readAsServer } from '../settings-used.ts'
import { chart, render, renderFiles, runHelm } from './render.ts'

/* The chart, rendered by helm itself, as Kubernetes' own schemas and this repository see it. */
const models = { Deployment, StatefulSet, Ingress, NetworkPolicy, PodDisruptionBudget, Service }
type Kind = keyof typeof models
interface Manifest {
  readonly apiVersion: string
  readonly kind: Kind
  readonly metadata: { readonly name: string }
  readonly spec: Record<string, unknown>
}
interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: {
    readonly securityContext: object
    readonly automountServiceAccountToken: boolean
    readonly volumes: readonly { readonly name: string }[]
    readonly containers: readonly {
      readonly image: string
      readonly securityContext: object
      readonly env: readonly { readonly name: string; readonly value: string }[]
      readonly envFrom: readonly object[]
      readonly ports?: readonly { readonly containerPort: number }[]
      readonly resources: { readonly requests: object; readonly limits: { readonly memory: string } }
      readonly livenessProbe?: { readonly httpGet: { readonly path: string } }
      readonly readinessProbe?: { readonly httpGet: { readonly path: string } }
      readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
    }[]
  }
}

// Documents of helm; `models` checks them.
const read = (text: string) => parseAllDocuments(text).flatMap((each) => (each.toJS() as Manifest | null) ?? [])
/** Of a Deployment or a StatefulSet, whose model has checked it. */
const podOf = (manifest: Manifest | undefined) => manifest?.spec.template as Pod
const image = readStages().at(-1)

let single: Manifest[]
let split: Manifest[]
beforeAll(async () => {
  single = read(await render())
  split = read(await render({ split: 'true' }))
}, 180_000)

const listPods = (manifests: readonly Manifest[]) => manifests.flatMap((each) => podOf(each) ?? [])
const find = (manifests: readonly Manifest[], kind: Kind) => manifests.find((each) => each.kind === kind)

describe('the chart', () => {
  it('passes helm lint', async () => {
    expect(await runHelm('lint', '--strict', '--quiet', chart)).toBe('')
  })

  it('is what the plain manifests and the schema of its values were made from', async () => {
    for (const [path, text] of Object.entries(await renderFiles()))
      expect(await readFile(path, 'utf8'), path).toBe(text)
  })

  it('fits the schemas of Kubernetes', () => {
    for (const manifest of [...single, ...split]) {
      const Model = models[manifest.kind]
      expect(Model.apiVersion, manifest.kind).toBe(manifest.apiVersion)
      // Each model takes its own manifest, which the compiler can't pair here.
      expect(() => new (Model as new (data: object) => { validate(): void })(manifest).validate()).not.toThrow()
    }
    expect(single.map(({ kind }) => kind).sort()).toEqual(['Ingress', 'NetworkPolicy', 'Service', 'StatefulSet'])
    const ofSplit = ['Deployment', 'Deployment', 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget', 'Service']
    expect(split.map(({ kind }) => kind).sort()).toEqual(ofSplit)
  })

  it('has no field that Kubernetes does not know', async () => {
    expect(await findUnknownFields([...single, ...split])).toBe('')
    const [first] = single
    expect(await findUnknownFields([{ ...first, spec: { ...first?.spec, podSelektor: {} } } as Manifest])).toContain(
      'podSelektor',
    )
  })

  it('runs pods that may do nothing but their work', () => {
    for (const { spec } of [...listPods(single), ...listPods(split)]) {
      expect(spec.automountServiceAccountToken).toBe(false)
      const [uid = 0, gid = 0] = image?.user?.split(':').map(Number) ?? []
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: uid, runAsGroup: gid, fsGroup: gid })
      expect(spec.securityContext).toMatchObject({ seccompProfile: { type: 'RuntimeDefault' } })
      expect(spec.containers.map(({ securityContext }) => securityContext)).toEqual([
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      ])
    }
  })

  it('sets only settings that exist, to values that the server reads, and names the Secret for the others', () => {
    for (const { spec } of [...listPods(single), ...listPods(split)]) {
      const [container] = spec.containers
      const settings = Object.fromEntries(container?.env.map(({ name, value }) => [name, value]) ?? [])
      expect(findUnknownSettings(Object.keys(settings))).toEqual([])
      expect(() => readAsServer({ ...image?.env, ...settings })).not.toThrow()
      expect(container?.envFrom).toEqual([{ secretRef: { name: 'earshot' } }])
    }
  })

  it('asks /health whether to restart and /ready whether to send requests, on the port of the image', () => {
    const served = [...listPods(single), ...listPods(split)].flatMap(({ spec }) =>
      spec.containers.filter(({ ports }) => ports !== undefined),
    )
    expect(served).toHaveLength(2)
    for (const { ports, livenessProbe, readinessProbe } of served) {
      expect(ports?.map(({ containerPort }) => containerPort)).toEqual(image?.ports)
      expect([livenessProbe?.httpGet.path, readinessProbe?.httpGet.path]).toEqual(['/health', '/ready'])
    }
  })

  it('mounts /data and /tmp, and keeps /data of the built-in database', () => {
    for (const { spec } of [...listPods(single), ...listPods(split)]) {
      expect(spec.containers[0]?.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp'])
    }
    expect(listPods(single)[0]?.spec.volumes.map(({ name }) => name)).toEqual(['tmp'])
    expect(find(single, 'StatefulSet')?.spec).toMatchObject({
      replicas: 1,
      volumeClaimTemplates: [{ metadata: { name: 'data' } }],
    })
  })

  it('sends requests to web pods alone, and protects those from disruptions', () => {
    const labels = { 'app.kubernetes.io/name': 'earshot', 'app.kubernetes.io/component': 'web' }
    for (const manifests of [single, split]) expect(find(manifests, 'Service')?.spec.selector).toMatchObject(labels)
    expect(find(split, 'PodDisruptionBudget')?.spec).toMatchObject({
      maxUnavailable: 1,
      selector: { matchLabels: labels },
    })
    for (const manifest of split.filter(({ kind }) => kind === 'Deployment')) {
      expect(manifest.spec.selector).toEqual({ matchLabels: podOf(manifest).metadata.labels })
    }
  })

  it('leads the host of the address to the Service, at its path if it has one', async () => {
    const rules = (manifests: readonly Manifest[]) => find(manifests, 'Ingress')?.spec.rules
    expect(rules(single)).toMatchObject([{ host: 'feedback.example.com', http: { paths: [{ path: '/' }] } }])
    const below = read(await render({ appUrl: 'https://example.org/feedback' }))
    expect(rules(below)).toMatchObject([{ host: 'example.org', http: { paths: [{ path: '/feedback' }] } }])
  })

  it('limits the memory of every pod', () => {
    for (const { spec } of [...listPods(single), ...listPods(split)]) {
      expect(spec.containers[0]?.resources.limits.memory).toMatch(/^\d+(Mi|Gi)$/)
      expect(Object.keys(spec.containers[0]?.resources.requests ?? {})).toEqual(['cpu', 'memory'])
    }
  })

  it('refuses a setting that does not exist before anything is installed', async () => {
    await expect(render({ 'settings.APP_ULR': 'x' })).rejects.toThrow(/APP_ULR/)
    await expect(render({ ingres: 'x' })).rejects.toThrow(/ingres/)
  })

  it('has the version of Earshot', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    expect(await runHelm('show', 'chart', chart)).toMatch(
      new RegExp(`^appVersion: "?${version.replaceAll('.', '\\.')}"?$`, 'm'),
    )
    expect(listPods(single)[0]?.spec.containers[0]?.image).toBe(`earshot:${version}`)
  })
})

/** The models leave unknown fields in; the compiler, given their types, does not. @returns its errors. */
async function findUnknownFields(manifests: readonly Manifest[]): Promise<string> {
  // There the compiler finds the types.
  const folder = await mkdtemp(join(root, 'node_modules/.cache/manifests-'))
  try {
    const imports = Object.keys(models).map((kind) => {
      const group = { Service: 'v1', PodDisruptionBudget: 'policy/v1', Deployment: 'apps/v1', StatefulSet: 'apps/v1' }[
        kind
      ]
      return `import type { I${kind} } from 'kubernetes-models/${group ?? 'networking.k8s.io/v1'}/${kind}'`
    })
    const values = manifests.map((each, index) => `export const m${index}: I${each.kind} = ${JSON.stringify(each)}`)
    await writeFile(join(folder, 'manifests.ts'), [...imports, ...values].join('\n'))
    const flags = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--moduleResolution',
      'nodenext',
    ]
    const compiler = join(root, 'node_modules/.bin/tsc')
    const run = promisify(execFile)(compiler, [...flags, join(folder, 'manifests.ts')], { cwd: folder })
    return await run.then(
      () => '',
      // execFile's own error has what it wrote.
      ({ stdout }: { stdout: string }) => stdout,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
