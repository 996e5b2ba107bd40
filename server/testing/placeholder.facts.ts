import type { Facts } from './facts.ts'

/** Numbers that other branches have. Deleted with the files when they are merged. */
export const facts: Facts = {
  migrations: {
    '0054_placeholder.sql': '4a45092ccf992ea92250053a80b931b787924ba61648f420555511b84f10ab6c',
    '0055_placeholder.sql': '4a45092ccf992ea92250053a80b931b787924ba61648f420555511b84f10ab6c',
  },
}
