import { MessageScreen } from './error-screens.tsx'

/** Shown in place of the whole app while the server lacks the backend's address or key. */
export function MissingConfigurationScreen({ missing }: { missing: readonly string[] }) {
  return (
    <>
      <title>Missing Supabase environment variables · Earshot</title>
      <MessageScreen title="Missing Supabase environment variables">
        <p>
          Required environment variables missing: <span className="font-mono text-base">{missing.join(', ')}</span>
        </p>
      </MessageScreen>
    </>
  )
}

/** Shown when the page came without any settings at all. */
export function UnreadableConfigurationScreen() {
  return (
    <MessageScreen title="Unable to access environment variables">
      <p>The server sent no backend configuration.</p>
    </MessageScreen>
  )
}
