import { data } from 'react-router'
import { NotFoundScreen } from '../error-screens.tsx'

/** Every address that is not on the map. Thrown, so that the answer's status says so too. */
export function loader() {
  throw data(null, { status: 404 })
}

/** The app does not know the addresses of public pages (see `app/site/site-layout.tsx`): the server does. */
export async function clientLoader({ request }: { request: Request }): Promise<never> {
  // A server that is away is told on a screen of the app, which stays.
  const answer = await fetch(request.url, { method: 'HEAD', signal: request.signal }).catch(() => undefined)
  const { status, headers } = answer ?? { status: 503 }
  if (status >= 500) throw data({ requestId: headers?.get('x-request-id') }, { status })
  window.location.assign(request.url)
  return new Promise(() => {})
}

export default NotFoundScreen
