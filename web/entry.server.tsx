import { PassThrough } from 'node:stream'
import { createReadableStreamFromReadable } from '@react-router/node'
import { isbot } from 'isbot'
import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, type HandleErrorFunction, type RouterContextProvider, ServerRouter } from 'react-router'
import { writeEarlyCallsScript } from './app/early-calls-script.ts'
import { getPageContext, ServerPartsContext } from './lib/page-context.ts'

// The server hands over what it knows of the request with this function; the key must come from the same build.
export { setBasePath } from './lib/base-path.ts'
export { setPageContext } from './lib/page-context.ts'

export const streamTimeout = 5000

/** What a loader or a page threw goes to the log beside the request's ID; without one, the page is rendered again with one. */
export const handleError: HandleErrorFunction = (error, { context, request }) => {
  // The reader has left.
  if (!request.signal.aborted) getPageContext(context).request?.noteFailure(error)
}

/** Written by hand: the public pages that show it run no React, and one click selects the ID. */
const writeRequestNote = (id: string) => `<small>Request ID <code class="select-all break-all">${id}</code></small>`

/** Renders a page. Readers without patience for streams (search engines) get it whole. */
export default function renderPage(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: Readonly<RouterContextProvider>,
): Promise<Response> {
  const { scriptNonce, styleNonce, request: asked } = getPageContext(loadContext)
  const requestNote = status >= 500 && asked ? { requestNote: writeRequestNote(asked.id) } : {}
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Promise((resolve, reject) => {
    const respond = () => {
      clearTimeout(timer)
      const body = new PassThrough()
      resolve(new Response(createReadableStreamFromReadable(body), { status: finalStatus, headers }))
      pipe(body)
    }
    let finalStatus = status
    const { pipe, abort } = renderToPipeableStream(
      <ServerPartsContext value={{ scriptNonce, styleNonce, writeEarlyCallsScript, ...requestNote }}>
        <ServerRouter
          context={routerContext}
          url={request.url}
          {...(scriptNonce !== undefined && { nonce: scriptNonce })}
        />
      </ServerPartsContext>,
      {
        nonce: { script: scriptNonce, style: styleNonce },
        ...(isbot(request.headers.get('user-agent')) ? { onAllReady: respond } : { onShellReady: respond }),
        onShellError: reject,
        onError: (error) => {
          finalStatus = 500
          asked?.noteFailure(error)
        },
      },
    )
    const timer = setTimeout(abort, streamTimeout + 1000)
  })
}
