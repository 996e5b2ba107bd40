import type { BlogPictureType } from '#contract/blog-posts.ts'

/** What a picture's address is made of. */
export interface PictureName {
  readonly id: string
  readonly mime: BlogPictureType
}

const endings: Readonly<Record<BlogPictureType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/gif': 'gif',
}

/** The path at which anyone can read a picture. */
export function toPictureUrl({ id, mime }: PictureName): string {
  return `/blog/pictures/${id}.${endings[mime]}`
}
