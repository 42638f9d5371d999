/** What a contract says about failures: their bodies, their codes, their identifiers. */

import type { Contract } from '../core/contract.ts';
import type { ResponseRule } from '../core/operation.ts';
import { valueAt, withValueAt } from '../core/pointer.ts';
import type { Reply } from './reply.ts';

/** Whether a documented answer is a failure with a body. */
export function hasBody({ status, content }: ResponseRule): boolean {
  return /^4/.test(status) && content.size > 0;
}

/** A code that no API can mean. */
const impossibleCode = 'TOUCHSTONE_NO_SUCH_CODE';

const fixed = new WeakMap<ResponseRule, boolean>();

/** Whether a documented failure allows only some codes. */
export function fixesCode({ error }: Contract, rule: ResponseRule): boolean {
  if (error === undefined || !hasBody(rule)) return false;
  const known = fixed.get(rule);
  if (known !== undefined) return known;
  const body = withValueAt({}, error.code, impossibleCode);
  const result = [...rule.content.values()].some(({ validate }) => validate(body).some(({ path }) => path === error.code));
  fixed.set(rule, result);
  return result;
}

/** The identifier that a failure gives to its request. */
export function requestIdOf({ error }: Contract, { response, body }: Reply): string | undefined {
  if (response.status < 400 || error?.request === undefined) return undefined;
  const id = valueAt(body, error.request);
  return typeof id === 'string' && id !== '' ? id : undefined;
}
