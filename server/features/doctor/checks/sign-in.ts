import { askAddress } from '../ask-address.ts'
import { type Check, failed, notApplicable, ok, warning } from '../check.ts'
import { readSuperadmins } from '../operation.queries.ts'

export const signInChecks: readonly Check[] = [
  {
    id: 'google-callback',
    area: 'Sign-in',
    title: 'Callback of Google sign-in',
    remedy:
      'Remove GOTRUE_EXTERNAL_GOOGLE_REDIRECT_URI, and register {APP_URL}/auth/v1/callback in the Google console.',
    run: ({ config: { appUrl, auth } }) => {
      if (!auth.google) return notApplicable('Google sign-in is off.')
      const wanted = `${appUrl}/auth/v1/callback`
      if (auth.google.redirectUri === wanted) return ok(`Google sends people back to ${wanted}.`)
      return failed(`Google sends people to ${auth.google.redirectUri}, and Earshot waits at ${wanted}.`)
    },
  },
  {
    id: 'google-reachable',
    area: 'Sign-in',
    title: 'Connection to Google',
    remedy: 'Let this machine make HTTPS requests to accounts.google.com and googleapis.com.',
    run: async ({ config: { auth } }) => {
      if (!auth.google) return notApplicable('Google sign-in is off.')
      const answer = await askAddress(`${auth.google.issuer}/.well-known/openid-configuration`)
      if (answer.status === null) return failed(`${auth.google.issuer} does not answer: ${answer.problem}.`)
      if (answer.status === 200 && answer.text.includes('authorization_endpoint')) return ok('Google answers.')
      return failed(`${auth.google.issuer} answers with ${answer.status}, and not as Google does.`)
    },
  },
  {
    id: 'supabase-reachable',
    area: 'Sign-in',
    title: 'Connection to Supabase',
    remedy: 'Check SUPABASE_URL and SUPABASE_ANON_KEY, and that the project is not paused.',
    run: async ({ config: { supabase } }) => {
      if (!supabase) return notApplicable('Earshot’s own auth server is used.')
      const answer = await askAddress(`${supabase.url}/auth/v1/health`, { apikey: supabase.anonKey })
      if (answer.status === null) return failed(`${supabase.url} does not answer: ${answer.problem}.`)
      if (answer.status === 200) return ok('The Supabase project answers.')
      return failed(`${supabase.url} answers with ${answer.status}.`)
    },
  },
  {
    id: 'superadmin',
    area: 'Sign-in',
    title: 'Superadmin',
    remedy: 'Set SUPERADMIN_EMAILS to your address, restart, and confirm the address by signing up or in.',
    needsDatabase: true,
    run: async ({ database }) => {
      const { all, usable } = await readSuperadmins(database, [])
      if (usable > 0) return ok(usable === 1 ? 'There is one superadmin.' : `There are ${usable} superadmins.`)
      if (all > 0) return failed('No superadmin can sign in: their addresses are not confirmed, or they are suspended.')
      return failed('No one is superadmin: no one gets alerts, and no one can use the superadmin area.')
    },
  },
  {
    id: 'superadmin-emails',
    area: 'Sign-in',
    title: 'Addresses in SUPERADMIN_EMAILS',
    remedy: 'Sign up with the address and confirm it, or remove it from SUPERADMIN_EMAILS.',
    needsDatabase: true,
    run: async ({ database, config: { superadminEmails } }) => {
      if (superadminEmails.length === 0) return notApplicable('SUPERADMIN_EMAILS is not set.')
      const { missing } = await readSuperadmins(database, superadminEmails)
      if (missing.length === 0) return ok('All of them are superadmins.')
      return warning(`${missing.length} of ${superadminEmails.length} addresses belong to no confirmed account.`)
    },
  },
]
