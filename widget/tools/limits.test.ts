import { expect, it } from 'vitest'
import { maxAttachmentBytes, maxAttachments } from '#contract/files.ts'
import { maxMessageLength as contractLength } from '#contract/widget.ts'
import { longestScreenSeconds, longestVoiceSeconds } from '#contract/widget-settings.ts'
import { maxMessageLength } from '../panel/fields.ts'
import { maxFiles, maxMegabytes } from './attaching.ts'
import { longest } from './recording.ts'

// The widget may import only types of the contract, so it repeats the numbers.
it('has the limits of the contract', () => {
  const bytes = Object.entries(maxMegabytes).map(([kind, megabytes]) => [kind, megabytes * 1024 * 1024])
  expect(Object.fromEntries(bytes)).toEqual(maxAttachmentBytes)
  expect(maxFiles).toBe(maxAttachments)
  expect(maxMessageLength).toBe(contractLength)
  expect(longest).toEqual({ voice: longestVoiceSeconds, screen: longestScreenSeconds })
})
