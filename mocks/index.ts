/** The entry point `touchstone/mock`: starts a mock, and the types of what it answers with. It loads nothing of the verifier. */

export { SpecError, UsageError } from '../core/errors.ts';
export type { Exchange, HttpHeaders, HttpRequest, HttpResponse } from '../core/http/exchange.ts';
export type { Json, JsonObject } from '../core/json.ts';
export { contractFile, listShipped } from '../core/shipped.ts';
export type { MockClock } from './clock.ts';
export type { ServedExchange } from './control/listeners.ts';
export type { LeftOut, PactQuery, RecordedPact } from './pact/recorder.ts';
export { type MockOptions, type RunningMock, startMock } from './start.ts';
