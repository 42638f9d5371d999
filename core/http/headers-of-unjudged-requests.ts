/** Headers by which a mock recognises requests that it neither judges as a client's nor records in a pact. */

/** The `User-Agent` of the verifier, by which a mock tells its requests from those of a consumer. */
export const verifierAgent = 'touchstone';

/** Header of a request to a mock that answers open questions otherwise for it: `Mock-Profile: null`. Its client sees records that are not so. */
export const profileHeader = 'mock-profile';

/** Header of a request to a mock that is not judged and not recorded in a pact, such as one that a developer tries: `Mock-Judge: off`. */
export const judgeHeader = 'mock-judge';
