/**
 * Headers of requests that a mock neither judges as a client's nor records in a pact: the `User-Agent` of the verifier, and `Mock-Judge: off`. `open-target.ts`
 * of `verify` sends the first with each request. `client-judge.ts` and `recordable-exchange.ts` of the mock look for both at each exchange, and decide what
 * follows.
 */

/** The `User-Agent` of the verifier, by which a mock tells its requests from those of a consumer. */
export const verifierAgent = 'touchstone';

/** Header of a request to a mock that is not judged and not recorded in a pact, such as one that a developer tries: `Mock-Judge: off`. */
export const judgeHeader = 'mock-judge';
