/** Comparing the headers of answers (OpenAPI 3.1 §4.8.21). */

import type { HalfOfExchange, Side } from '../../core/change.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { compareUse } from './compare-schemas.ts';
import { compareWords } from './compare-words.ts';
import { type Comparing, member, nothing, reportAt, something } from './comparing.ts';
import { entriesOf, type OperationPair } from './description.ts';
import { schemaIn } from './schema-view.ts';
import { exposeHeader } from './witness.ts';

/** Compares the headers of one answer; their names have no case (RFC 9110 §5.1). */
export function compareHeaders(comparing: Comparing, pair: OperationPair, status: string, old: JsonObject, next: JsonObject): void {
  const [before, after] = [headersOf(comparing, old), headersOf(comparing, next)];
  for (const [key, { name, header, side }] of before) {
    const found = after.get(key);
    if (found === undefined) reportHeader(comparing, pair, status, name, side, nothing(comparing.document.place(next)));
    else compareHeader(comparing, pair, status, name, header, found.header);
  }
  for (const [key, { name, side }] of after)
    if (!before.has(key)) reportHeader(comparing, pair, status, name, nothing(comparing.document.place(old)), side);
}

interface Named {
  readonly name: string;
  readonly header: JsonObject;
  /** The header where the answer names it, which may be a reference. */
  readonly side: Side;
}

function headersOf(comparing: Comparing, response: JsonObject): ReadonlyMap<string, Named> {
  const holder: JsonObject = isObject(response['headers']) ? response['headers'] : {};
  const entries = [...entriesOf(comparing.document, holder)];
  return new Map(entries.map(([name, header]) => [name.toLowerCase(), { name, header, side: something(comparing, header, holder, name) }]));
}

function reportHeader(comparing: Comparing, pair: OperationPair, status: string, name: string, before: Side, after: Side): void {
  const isGone = after.value === undefined;
  const wasRequired = isObject(before.value) && before.value['required'] === true;
  reportAt(comparing, pair.new.name, {
    id: `response-header/${isGone ? (wasRequired ? 'required-removed' : 'removed') : 'added'}`,
    level: isGone ? (wasRequired ? 'breaking' : 'risky') : 'compatible',
    direction: pair.old.isSentByServer ? 'request' : 'response',
    location: `response ${status}, header ${name}`,
    before,
    after,
    subject: name.toLowerCase(),
    text: `the ${isGone && wasRequired ? 'required ' : ''}header ${name} is ${isGone ? 'gone' : 'new'}`,
    ...(isGone ? { reason: 'A client that reads it finds nothing there.' } : {}),
  });
}

function compareHeader(comparing: Comparing, pair: OperationPair, status: string, name: string, old: JsonObject, next: JsonObject): void {
  const location = `response ${status}, header ${name}`;
  const direction: HalfOfExchange = pair.old.isSentByServer ? 'request' : 'response';
  const [was, is] = [old['required'] === true, next['required'] === true];
  if (was !== is)
    reportAt(comparing, pair.new.name, {
      id: `response-header/became-${is ? 'required' : 'optional'}`,
      level: is ? 'compatible' : 'breaking',
      direction,
      location,
      before: member(comparing, old, 'required'),
      after: member(comparing, next, 'required'),
      subject: name.toLowerCase(),
      text: `the header ${name} is ${is ? 'always there now' : 'no longer always there'}`,
      ...(is ? {} : { reason: 'A client that reads it without looking finds nothing there at times.' }),
    });
  compareWords(comparing, pair, 'response-header', location, old, next);
  const schemas: readonly [Schema, Schema] = [schemaIn(old), schemaIn(next)];
  const schemaPair = comparing.pairs.of(...schemas, { old: comparing.document.place(old), new: comparing.document.place(next) });
  const use = { operation: pair.new.name, subject: 'response-header', direction, location, old: schemas[0], new: schemas[1] };
  compareUse(comparing, { ...use, isText: false, expose: exposeHeader(pair, status, name) }, schemaPair);
}
