/**
 * Finds the place in a contract that states a rule, and tells if the rule is stated or an open question. Rules call it when a run chooses their
 * operations; observers, `diff` and the pact checks ask for open questions. It judges no reply.
 */

import type { InvalidClass } from '../../../core/annotations/annotations.ts';
import type { Question } from '../../../core/annotations/open-questions.ts';
import type { SourceLocation } from '../../../core/errors.ts';
import { isObject } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation, ResponseRule } from '../../../core/openapi/operation.ts';
import { valueAt, withValueAt } from '../../../core/pointer.ts';
import type { Reply } from './call-and-reply.ts';

/** The place of a member of `x-collection`: `page`, `order`, `key`. */
export function collectionPlace({ document, value }: Operation, member?: string): SourceLocation {
  const collection = value['x-collection'];
  return member === undefined || !isObject(collection) ? document.place(value, 'x-collection') : document.place(collection, member);
}

/** The place of the rule of a filter. */
export function filterPlace(operation: ListOperation, parameter: string): SourceLocation {
  const collection = operation.value['x-collection'];
  const filters = isObject(collection) ? collection['filters'] : undefined;
  return isObject(filters) ? operation.document.place(filters, parameter) : collectionPlace(operation);
}

/** The place of a parameter. */
export function parameterPlace(operation: Operation, parameter: string): SourceLocation {
  return operation.parameters.find((each) => each.key === parameter)?.place ?? operation.place;
}

/** The place in the contract of a member of `x-resource`. */
export function resourcePlace({ document, value }: Operation, member: string): SourceLocation {
  const resource = value['x-resource'];
  return isObject(resource) ? document.place(resource, member) : document.place(value, 'x-resource');
}

/** The place at which an operation requires a tag of its successes. */
export function tagPlace(operation: Operation): SourceLocation | undefined {
  const rule = operation.responses.get('200')?.headers.find(({ name, required }) => required && name.toLowerCase() === 'etag');
  return rule?.parameter.place;
}

/** True when an operation always requires a key. */
export function needsKey(operation: Operation): boolean {
  return operation.security.length > 0 && operation.security.every((alternative) => alternative.length > 0);
}

/** True when an operation documents 304. */
export function isConditional(operation: Operation): boolean {
  return (
    operation.responses.has('304') &&
    operation.parameters.some((each) => each.in === 'header' && each.name.toLowerCase() === 'if-none-match')
  );
}

/** The open questions at a JSON Pointer of the contract or below it. */
export function questionsBelow(contract: Contract, pointer: string): readonly Question[] {
  const isBelow = (each: string): boolean => each === pointer || each.startsWith(`${pointer}/`);
  return [...contract.questions.values()].filter((question) => question.pointers.some(isBelow));
}

/** True when the contract specifies the response to a kind of invalid request. */
export function isStated(contract: Contract, mistake: InvalidClass): boolean {
  return questionsBelow(contract, `/x-invalid/${mistake}`).length === 0;
}

/** True when the contract specifies a filter, so that a snapshot predicts its result. */
export function isPredictable(contract: Contract, operation: ListOperation, parameter: string): boolean {
  const pointer = `${operation.pointer}/x-collection/filters/${parameter.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return questionsBelow(contract, pointer).length === 0;
}

/** True when a part of an operation's extension is open: `x-collection/order`, `x-resource/at`. */
export function isOpen(contract: Contract, operation: Operation, rule: string): boolean {
  return questionsBelow(contract, `${operation.pointer}/${rule}`).length > 0;
}

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
