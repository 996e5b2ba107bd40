import type { FastifyInstance } from 'fastify'
import {
  createBlogPost,
  deleteBlogPost,
  exportBlogPosts,
  getBlogPost,
  getBlogRevision,
  listBlogPosts,
  listBlogRevisions,
  previewBlogPost,
  restoreBlogPost,
  restoreBlogRevision,
  saveBlogPost,
  setBlogPublication,
  uploadBlogPicture,
} from '#contract/blog-posts.ts'
import { addDownload } from '#server/platform/events/csv-download.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { renderMarkdown } from '#server/platform/markdown/render-markdown.ts'
import { toPictureUrl } from './pictures/picture-url.ts'
import type { Pictures } from './pictures/pictures.service.ts'
import type { Posts } from './posts/posts.service.ts'
import { countMinutes } from './reading/count-minutes.ts'

interface BlogParts {
  readonly posts: Posts
  readonly pictures: Pictures
  readonly countBuiltIn: () => Promise<number>
}

/** The body is the picture itself. */
function uploadRoute(app: FastifyInstance, pictures: Pictures): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    addRoute(scope, uploadBlogPicture, async ({ request, caller }) => {
      const { body } = request
      if (!Buffer.isBuffer(body)) throw invalid('body', 'must be a picture, sent as application/octet-stream')
      const picture = await pictures.upload(caller.actor.userId, body)
      return answer(201, { id: picture.id, url: toPictureUrl(picture) })
    })
  })
}

/** What superadmins do with the blog. */
export function blogRoutes(app: FastifyInstance, { posts, pictures, countBuiltIn }: BlogParts): void {
  addRoute(app, listBlogPosts, async ({ query }) =>
    answer(200, { ...(await posts.list(query)), builtInPosts: await countBuiltIn() }),
  )
  addDownload(app, exportBlogPosts, ({ body }) => posts.export(body))
  addRoute(app, createBlogPost, async ({ body, caller }) =>
    answer(201, await posts.create(caller.actor.userId, { id: body.id.toLowerCase(), title: body.title })),
  )
  addRoute(app, getBlogPost, async ({ params }) => answer(200, await posts.get(params.postId)))
  addRoute(app, saveBlogPost, async ({ params, body, caller }) => {
    const { version, isAutosave = false, ...content } = body
    return answer(200, await posts.save(caller.actor.userId, params.postId, { version, isAutosave, content }))
  })
  addRoute(app, setBlogPublication, async ({ params, body: { version, state, publishAt }, caller }) => {
    if ((state === 'scheduled') !== (publishAt !== undefined)) {
      throw invalid('body.publishAt', 'is needed for a scheduled post, and only then')
    }
    const publication = state === 'scheduled' ? { state, publishAt: publishAt ?? '' } : { state }
    return answer(200, await posts.publish(caller.actor.userId, params.postId, version, publication))
  })
  addRoute(app, deleteBlogPost, async ({ params, caller }) => {
    await posts.delete(caller.actor.userId, params.postId)
    return answer(204, null)
  })
  addRoute(app, restoreBlogPost, async ({ params, caller }) =>
    answer(200, await posts.restore(caller.actor.userId, params.postId)),
  )
  addRoute(app, listBlogRevisions, async ({ params, query }) =>
    answer(200, await posts.listRevisions(params.postId, query.before)),
  )
  addRoute(app, getBlogRevision, async ({ params }) =>
    answer(200, await posts.getRevision(params.postId, params.revisionId)),
  )
  addRoute(app, restoreBlogRevision, async ({ params, body, caller }) =>
    answer(200, await posts.restoreRevision(caller.actor.userId, params.postId, params.revisionId, body.version)),
  )
  uploadRoute(app, pictures)
  addRoute(
    app,
    previewBlogPost,
    async ({ body }) =>
      answer(200, { html: renderMarkdown(body.markdown).html, readingMinutes: countMinutes(body.markdown) }),
    { evenReadOnly: 'it only renders' },
  )
}
