/**
 * Documented error responses: those with a body, those that fix the error code, and the identifier of an error. The response rules call it when a run chooses
 * their operations and when they judge; the tenancy rules read identifiers. It judges no reply.
 */

import type { Contract } from '../../../core/openapi/contract.ts';
import type { ResponseRule } from '../../../core/openapi/operation.ts';
import { valueAt, withValueAt } from '../../../core/pointer.ts';
import type { Reply } from './call-and-reply.ts';

/** True for a documented failure with a body. */
export function isErrorWithBody({ status, content }: ResponseRule): boolean {
  return /^4/.test(status) && content.size > 0;
}

/** An error code that no API has. */
const impossibleCode = 'TOUCHSTONE_NO_SUCH_CODE';

/** True for a documented failure that allows some codes only. */
export function fixesCode({ error }: Contract, rule: ResponseRule): boolean {
  if (error === undefined || !isErrorWithBody(rule)) return false;
  const body = withValueAt({}, error.code, impossibleCode);
  return [...rule.content.values()].some(({ validate }) => validate(body).some(({ path }) => path === error.code));
}

/** The identifier that a failure gives to its request. */
export function requestIdOf({ error }: Contract, { response, body }: Reply): string | undefined {
  if (response.status < 400 || error?.request === undefined) return undefined;
  const id = valueAt(body, error.request);
  return typeof id === 'string' && id !== '' ? id : undefined;
}
