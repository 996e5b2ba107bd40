import { PassThrough } from 'node:stream'
import { createReadableStreamFromReadable } from '@react-router/node'
import { isbot } from 'isbot'
import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router'
import { writeEarlyCallsScript } from './app/early-calls-script.ts'
import { getPageContext, ServerPartsContext } from './lib/page-context.ts'

// The server hands over what it knows of the request with this function; the key must come from the same build.
export { setBasePath } from './lib/base-path.ts'
export { setPageContext } from './lib/page-context.ts'

export const streamTimeout = 5000

/** Renders a page. Readers without patience for streams (search engines) get it whole. */
export default function renderPage(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: Readonly<RouterContextProvider>,
): Promise<Response> {
  const { scriptNonce, styleNonce } = getPageContext(loadContext)
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
      <ServerPartsContext value={{ scriptNonce, styleNonce, writeEarlyCallsScript }}>
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
        onError: () => {
          finalStatus = 500
        },
      },
    )
    const timer = setTimeout(abort, streamTimeout + 1000)
  })
}
