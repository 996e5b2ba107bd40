/** Which features know each other, each folder as one. Apart from the other rules, because tests may know every feature. */

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circles-between-features',
      comment: 'Two features that know each other are one. Let one of them subscribe to an event of the other.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^server/features/[^/]+$' },
      to: { circular: true },
    },
  ],
  options: {
    ...require('./.dependency-cruiser.cjs').options,
    includeOnly: { path: '^server/features/' },
    exclude: { path: '\\.(test|facts)\\.ts$' },
  },
}
