import type { PictureGap } from '#contract/files.ts'
import { locale } from '#web/lib/locale.ts'

const gapLabels: Readonly<Record<PictureGap, string>> = {
  images: 'some images',
  frames: 'an embedded page',
  canvas: 'a canvas',
  video: 'a video or its controls',
  styles: 'some of the page’s styles',
  parts: 'a closed part of the page',
}

/** What a picture of the page lacks, so that no one takes a blank for what the visitor saw. */
export function describeGaps(missing: readonly PictureGap[]): string {
  const names = new Intl.ListFormat(locale).format(missing.map((gap) => gapLabels[gap]))
  return `Not in this picture, because the browser didn’t let it be read: ${names}.`
}
