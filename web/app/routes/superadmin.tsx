import { Navigate } from 'react-router'

export default function Superadmin() {
  return <Navigate to="/dashboard/superadmin/subscriptions" replace />
}
