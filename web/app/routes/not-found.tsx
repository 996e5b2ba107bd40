import { data } from 'react-router'
import { NotFoundScreen } from '../error-screens.tsx'

/** Every address that is not on the map. Thrown, so that the answer's status says so too. */
export function loader() {
  throw data(null, { status: 404 })
}

export default NotFoundScreen
