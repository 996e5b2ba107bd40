import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, it } from 'vitest'
import type { PublicConfig } from '#contract/config.ts'
import { readBackend } from '../lib/config.tsx'
import { MissingConfigurationScreen, UnreadableConfigurationScreen } from './missing-configuration-screen.tsx'

function show(screen: React.ReactNode): string {
  return renderToStaticMarkup(<MemoryRouter>{screen}</MemoryRouter>).replaceAll(/<[^>]*>/g, '')
}

describe('the missing configuration screen', () => {
  it.each([
    [{ supabaseUrl: null, supabaseAnonKey: 'key' }, 'SUPABASE_URL'],
    [{ supabaseUrl: 'https://project.example', supabaseAnonKey: null }, 'SUPABASE_ANON_KEY'],
    [{ supabaseUrl: null, supabaseAnonKey: null }, 'SUPABASE_URL, SUPABASE_ANON_KEY'],
  ])('%o: names what is missing', (config, names) => {
    const backend = readBackend(config as PublicConfig)
    const text = show(<MissingConfigurationScreen missing={'missing' in backend ? backend.missing : []} />)
    expect(text).toContain('Missing Supabase environment variables')
    expect(text).toContain(`Required environment variables missing: ${names}`)
  })

  it('says so when the page came without settings', () => {
    expect(show(<UnreadableConfigurationScreen />)).toContain('Unable to access environment variables')
  })
})
