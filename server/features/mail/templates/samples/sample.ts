import type { RenderedMail } from '../../mail-layout.ts'

/** An email with made-up data, by which superadmins judge the words of its template. */
export interface Sample {
  /** What it shows, where a template has several. */
  readonly label: string
  /** @param appUrl address of the instance. */
  render(appUrl: string): RenderedMail
}

/** The time in all samples, so that they are the same at every look. */
export const sampleTime = new Date('2026-11-21T05:40:00Z')
export const sampleDay = new Date('2026-12-05T00:00:00Z')
