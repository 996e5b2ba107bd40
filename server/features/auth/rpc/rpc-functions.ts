/** A database function that browsers may call, and the shape of its result. */
export interface RpcFunction {
  readonly name: string
  /** Names of its parameters, all of them required, all of them UUIDs. */
  readonly parameters: readonly string[]
  readonly returns: 'rows' | 'scalar'
  /** The columns for filters, order and selection; none for a scalar. No other identifier ever reaches SQL. */
  readonly columns: readonly string[]
}

const organizationColumns = [
  'organization_id',
  'organization_name',
  'organization_slug',
  'organization_created_at',
  'organization_trial_ends_at',
  'organization_subscription_status',
  'organization_subscription_plan_id',
  'membership_user_id',
  'membership_role',
  'membership_joined_at',
]

const functions: readonly RpcFunction[] = [
  {
    name: 'get_user_organization_by_id',
    parameters: ['p_org_id', 'p_user_id'],
    returns: 'rows',
    columns: organizationColumns,
  },
  { name: 'get_user_current_organization', parameters: ['p_user_id'], returns: 'rows', columns: organizationColumns },
  { name: 'is_superadmin', parameters: ['user_id'], returns: 'scalar', columns: [] },
]

/** Finds the function by its name and exact parameters. */
export function findRpcFunction(name: string, parameters: readonly string[]): RpcFunction | undefined {
  const given = parameters.toSorted().join()
  return functions.find((candidate) => candidate.name === name && candidate.parameters.toSorted().join() === given)
}

/** Describes a function that was not found, as PostgREST does. */
export function describeRpcCall(name: string, parameters: readonly string[]): { called: string; searched: string } {
  const sorted = parameters.toSorted()
  return {
    called: sorted.length === 0 ? `public.${name} without parameters` : `public.${name}(${sorted.join(', ')})`,
    searched:
      sorted.length === 0
        ? `the function public.${name} without parameters`
        : `the function public.${name} with ${sorted.length === 1 ? 'parameter' : 'parameters'} ${sorted.join(', ')}`,
  }
}
