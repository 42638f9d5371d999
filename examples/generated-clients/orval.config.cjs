/** Configuration for orval: functions that use fetch, and lists joined by commas, as the contract says (`explode: false`). */
module.exports = {
  business: {
    input: 'business.json',
    output: {
      target: 'generated/orval.ts',
      client: 'fetch',
      override: { fetch: { explode: false }, mutator: { path: './orval-fetch.ts', name: 'orvalFetch', extension: '.js' } },
    },
  },
};
