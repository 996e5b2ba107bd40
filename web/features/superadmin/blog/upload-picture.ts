import { maxBlogPictureBytes, uploadBlogPicture } from '#contract/blog-posts.ts'
import { sendFile } from '#web/lib/send-file.ts'

/** Uploads a picture for posts. @throws Error whose message is for people. */
export async function uploadPicture(file: File): Promise<{ id: string; url: string }> {
  if (file.size > maxBlogPictureBytes) {
    throw new Error(`Pictures can be up to ${maxBlogPictureBytes / 1024 / 1024} MB.`)
  }
  return sendFile(uploadBlogPicture, { params: {} }, file)
}
