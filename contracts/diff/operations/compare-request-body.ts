import type { JsonObject } from '../../../core/json.ts';
import { exchangePart, type ObjectPair, type OperationPair, reportDifference, reportMemberChange } from '../comparison-context.ts';
import { compareContent, compareDescriptions, type ExchangePart } from './compare-content.ts';
import { resolveObject } from './documented-operations.ts';
import { presenceOf, ratePresence } from './rate-presence.ts';

/** Compares the request body of an operation (OpenAPI 3.1 §4.8.13). */
export function compareRequestBody(pair: OperationPair): void {
  const [old, next] = [pair.old, pair.new].map(({ value }) => resolveObject(pair.context.document, value['requestBody']));
  const part = exchangePart(pair, 'request', { kind: 'request body' });
  if (old === undefined || next === undefined) reportBody(part, old, next);
  else {
    const sides = { old, new: next };
    compareRequired(part, sides);
    compareDescriptions(part, 'request-body', sides);
    compareContent(part, 'request-body', sides);
  }
}

function reportBody(part: ExchangePart, old: JsonObject | undefined, next: JsonObject | undefined): void {
  if (old === undefined && next === undefined) return;
  const isGone = next === undefined;
  const isRequired = next?.['required'] === true;
  reportDifference(part, {
    id: `request-body/${isGone ? 'removed' : isRequired ? 'required-added' : 'added'}`,
    ...(isGone ? { level: 'breaking' } : ratePresence(part.direction, 'absent', presenceOf(next))),
    before: { value: old, place: old === undefined ? part.old.place : part.context.document.place(old) },
    after: { value: next, place: isGone ? part.new.place : part.context.document.place(next) },
    changedItem: 'requestBody',
    text: isGone ? 'the request body was removed' : `${isRequired ? 'a required' : 'an optional'} request body was added`,
  });
}

function compareRequired(part: ExchangePart, sides: ObjectPair): void {
  const [was, is] = [presenceOf(sides.old), presenceOf(sides.new)];
  if (was === is) return;
  reportMemberChange(part, sides, 'required', {
    id: `request-body/became-${is}`,
    ...ratePresence(part.direction, was, is),
    changedItem: 'requestBody',
    text: `the request body became ${is}`,
  });
}
