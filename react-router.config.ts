import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'web',
  buildDirectory: 'build/web',
  ssr: true,
  // The whole map is small: sending it at once saves a round trip per navigation and an address on the server.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
