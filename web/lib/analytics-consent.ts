import { useSyncExternalStore } from 'react'
import type { PublicConfig } from '#contract/config.ts'
import { endMeasuring, loadMeasuring } from './analytics.ts'
import { readStored, storageKeys, writeStored } from './storage.ts'

export type AnalyticsConsent = 'accepted' | 'declined'

const listeners = new Set<() => void>()

function readConsent(): AnalyticsConsent | undefined {
  const stored = readStored(storageKeys.analyticsConsent)
  return stored === 'accepted' || stored === 'declined' ? stored : undefined
}

/** Keeps the person's choice for this browser, and follows it at once. */
export function setConsent(consent: AnalyticsConsent, config: PublicConfig): void {
  writeStored(storageKeys.analyticsConsent, consent)
  applyConsent(config)
}

function applyConsent(config: PublicConfig): void {
  if (readConsent() === 'accepted') void loadMeasuring(config)
  else endMeasuring()
  for (const listener of listeners) listener()
}

/** Follows what is chosen in other tabs. @returns what ends it. */
export function followConsent(config: PublicConfig): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key === storageKeys.analyticsConsent || key === null) applyConsent(config)
  }
  window.addEventListener('storage', follow)
  return () => window.removeEventListener('storage', follow)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The choice made in this browser; undefined: none yet. */
export function useConsent(): AnalyticsConsent | undefined {
  return useSyncExternalStore(subscribe, readConsent, () => undefined)
}
