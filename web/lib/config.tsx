import { createContext, useContext } from 'react'
import type { PublicConfig } from '#contract/config.ts'

const ConfigContext = createContext<PublicConfig | undefined>(undefined)

export const ConfigProvider = ConfigContext.Provider

/** The public settings of this instance, as the server gave them with the page. */
export function useConfig(): PublicConfig {
  const config = useContext(ConfigContext)
  if (!config) throw new Error('Unable to access environment variables')
  return config
}

/** The auth server's address and public key. */
export interface Backend {
  readonly url: string
  readonly anonKey: string
}

/** The backend of this instance, or the names of the settings that are missing. */
export function readBackend(config: PublicConfig): Backend | { readonly missing: readonly string[] } {
  const { supabaseUrl, supabaseAnonKey } = config
  if (supabaseUrl && supabaseAnonKey) return { url: supabaseUrl.replace(/\/+$/, ''), anonKey: supabaseAnonKey }
  return {
    missing: [...(supabaseUrl ? [] : ['SUPABASE_URL']), ...(supabaseAnonKey ? [] : ['SUPABASE_ANON_KEY'])],
  }
}
