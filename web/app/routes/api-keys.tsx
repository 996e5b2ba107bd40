import { ApiKeysScreen } from '#web/features/api-keys/api-keys-screen.tsx'

export default ApiKeysScreen
