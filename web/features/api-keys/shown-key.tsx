import type { CreatedApiKey } from '#contract/api-keys.ts'
import { ShownSecret } from '#web/ui/shown-secret.tsx'

/** A new key, the only time that it is shown. */
export function ShownKey({ created, onDone }: { created: CreatedApiKey; onDone: () => void }) {
  return (
    <ShownSecret secret={created.key} label={`API key ${created.name}`} onDone={onDone}>
      Keep it on your server, for example in the environment variable <code className="font-mono">EARSHOT_API_KEY</code>
      . Anyone who has it can act as this key.
    </ShownSecret>
  )
}
