/** The house's rules about who may import whom. Patterns, so that a new feature is covered unasked. */

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Types count: a type belongs to the file that both can import.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:|^\\./\\+types/|^@earshot/' },
    },
    {
      name: 'contract-imports-typebox-only',
      severity: 'error',
      from: { path: '^contract/' },
      to: { pathNot: '^contract/|^node_modules/typebox/' },
    },
    {
      name: 'server-stays-on-the-server',
      comment: 'The server imports the contract, never the web app or the widget.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(web|widget)/' },
    },
    {
      name: 'web-never-imports-server',
      comment:
        'What shows a replay, and what draws on a picture, is the same for visitors and team, so that it is made right once. The landing page answers the widget as its preview does. Error reports are scrubbed as logs are.',
      severity: 'error',
      from: { path: '^web/' },
      to: {
        path: '^(server|widget|db|doubles)/',
        pathNot:
          '^widget/(replay/view/|annotate/open-editor\\.ts$|annotate/annotate\\.css$|preview/simulated-server\\.ts$)|^server/platform/scrub/scrub(-text)?\\.ts$',
      },
    },
    {
      name: 'widget-imports-contract-types-only',
      severity: 'error',
      from: { path: '^widget/', pathNot: '^widget/scenarios/' },
      to: { path: '^(server|web|db|doubles)/' },
    },
    {
      name: 'widget-imports-no-contract-code',
      severity: 'error',
      comment: 'Tests compare what the widget repeats with the contract.',
      from: { path: '^widget/', pathNot: '^widget/scenarios/|\\.test\\.ts$' },
      to: { path: '^contract/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'product-imports-no-tools',
      comment: 'Doubles, tests’ tools and benchmarks are not part of the product.',
      severity: 'error',
      from: {
        path: '^(server|web|widget|contract)/',
        pathNot: '^server/testing/|\\.(test|facts)\\.tsx?$|^widget/scenarios/',
      },
      to: { path: '^(doubles|e2e|bench|server/testing)/' },
    },
    {
      name: 'platform-knows-no-features',
      severity: 'error',
      from: { path: '^server/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/features/' },
    },
    {
      name: 'server-features-meet-through-what-they-offer',
      severity: 'error',
      from: { path: '^server/features/([^/]+)/' },
      to: {
        path: '^server/features/',
        pathNot: ['^server/features/$1/', '^server/features/[^/]+/[^/]+\\.(service|feature)\\.ts$'],
      },
    },
    {
      name: 'web-features-do-not-meet',
      comment: 'web/app composes them.',
      severity: 'error',
      from: { path: '^web/features/([^/]+)/' },
      to: { path: '^web/(features|app)/', pathNot: '^web/features/$1/' },
    },
    {
      name: 'web-ui-and-lib-know-no-features',
      severity: 'error',
      from: { path: '^web/(ui|lib)/' },
      to: { path: '^web/(features|app|shared)/' },
    },
    {
      name: 'web-shared-knows-no-features',
      comment: 'Labels, counts in words and query keys that several features show: they stand below the features.',
      severity: 'error',
      from: { path: '^web/shared/' },
      to: { path: '^(web|server|widget|db|doubles)/', pathNot: '^web/(shared|ui|lib)/' },
    },
    {
      name: 'kysely-in-queries-only',
      severity: 'error',
      from: {
        path: '^(server|cli|scripts|bench)/',
        pathNot: '\\.queries\\.ts$|^server/platform/database/|^server/testing/|\\.test\\.ts$',
      },
      to: { path: '^node_modules/kysely/' },
    },
    {
      name: 'user-given-addresses-by-outbound',
      comment:
        'platform/outbound checks every address that a user gives. HTTP clients serve no other purpose on the server; create-http-server.ts listens.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: '^server/(platform/outbound/|platform/http/create-http-server\\.ts$|testing/)|\\.test\\.ts$',
      },
      to: { path: '^(node:)?https?$|^node_modules/undici/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'not-to-dev-dependencies',
      severity: 'error',
      from: { path: '^(server|contract)/', pathNot: '^server/testing/|\\.test\\.ts$' },
      to: {
        dependencyTypes: ['npm-dev'],
        // Development serves the web app through it; production never reaches that line.
        pathNot: '^node_modules/(vite|@types)/',
      },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules'] },
    exclude: { path: ['^build/', '^data/', '^\\.react-router/'] },
    // The TypeScript API of version 7 is not public yet; this parser reads its syntax.
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
