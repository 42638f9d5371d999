/** Reads what other tools write into OpenAPI files about pages: Speakeasy, Fern, AutoRest and Stainless. */

import { arrayOrEmpty, isObject, type Json, objectOrEmpty } from '../json.ts';
import { toPointer } from '../pointer.ts';
import { type Operation, schemaOfSuccess } from './operation.ts';
import { valueBehind } from './raw-document.ts';
import { propertiesOf, type Schema, schemasAt } from './schema-facts.ts';

/** The pages of a list, as an extension of another tool states them. */
export interface ForeignPaging {
  readonly extension: string;
  readonly style: 'cursor' | 'page' | 'offset';
  /** The parameter with the cursor, the page number or the offset. */
  readonly start: string | undefined;
  readonly limit: string | undefined;
  /** JSON Pointer of the next cursor in the response. */
  readonly next: string | undefined;
  /** JSON Pointer of the records in the response. */
  readonly items: string | undefined;
}

/** The pages that an extension of an operation states; `undefined` if there is none. */
export function foreignPagingOf(operation: Operation): ForeignPaging | undefined {
  const stated = objectOrEmpty(valueBehind(operation.document, operation.pointer));
  return (
    readSpeakeasy(stated['x-speakeasy-pagination']) ??
    readFern(stated['x-fern-pagination']) ??
    readAutoRest(stated['x-ms-pageable']) ??
    readStainless(operation)
  );
}

/** `{ type: offsetLimit, inputs: [{ name, in, type }], outputs: { results: $.data } }` */
function readSpeakeasy(value: Json | undefined): ForeignPaging | undefined {
  if (!isObject(value)) return undefined;
  const inputs = arrayOrEmpty(value['inputs']).filter(isObject);
  const named = (type: string): string | undefined => inputs.find((input) => input['type'] === type)?.['name'] as string | undefined;
  const start = (['cursor', 'page', 'offset'] as const).find((type) => named(type) !== undefined);
  if (start === undefined) return undefined;
  const outputs = objectOrEmpty(value['outputs']);
  return {
    ...{ extension: 'x-speakeasy-pagination', style: start, start: named(start), limit: named('limit') },
    ...{ next: fromJsonPath(outputs['nextCursor']), items: fromJsonPath(outputs['results']) },
  };
}

/** `{ cursor: $request.cursor, next_cursor: $response.next, results: $response.data }`, or `offset` in place of `cursor`. */
function readFern(value: Json | undefined): ForeignPaging | undefined {
  if (!isObject(value)) return undefined;
  const style = value['cursor'] === undefined ? 'offset' : 'cursor';
  const start = /^\$request\.(.+)$/.exec(String(value[style] ?? ''))?.[1];
  if (start === undefined) return undefined;
  return {
    ...{ extension: 'x-fern-pagination', style, start, limit: undefined },
    ...{ next: fromJsonPath(value['next_cursor']), items: fromJsonPath(value['results']) },
  };
}

/** `{ nextLinkName: nextLink, itemName: value }`: it names members of the response only. */
function readAutoRest(value: Json | undefined): ForeignPaging | undefined {
  if (!isObject(value)) return undefined;
  const items = toPointer([typeof value['itemName'] === 'string' ? value['itemName'] : 'value']);
  return { extension: 'x-ms-pageable', style: 'cursor', start: undefined, limit: undefined, next: undefined, items };
}

/** Stainless marks the schemas of parameters and of members of the response: `x-stainless-pagination-property: { purpose: next_cursor_param }`. */
function readStainless({ document, parameters, responses }: Operation): ForeignPaging | undefined {
  const starts = { next_cursor_param: 'cursor', page_number_param: 'page', offset_count_param: 'offset' } as const;
  for (const { name, schema } of parameters) {
    const style = starts[purposeOf(schema) as keyof typeof starts];
    if (style === undefined) continue;
    const success = schemasAt(document, schemaOfSuccess(responses) ?? true, '').filter(isObject);
    const members = new Map(
      [...propertiesOf(success)].map(([member, schemas]) => [schemas.map(purposeOf).find(Boolean), toPointer([member])]),
    );
    return {
      ...{ extension: purposeKeyword, style, start: name, limit: undefined },
      ...{ next: members.get('next_cursor_field'), items: members.get('items') },
    };
  }
  return undefined;
}

const purposeKeyword = 'x-stainless-pagination-property';

function purposeOf(schema: Schema): Json | undefined {
  return isObject(schema) ? objectOrEmpty(schema[purposeKeyword])['purpose'] : undefined;
}

/** Converts a JSONPath of names, such as `$.data.items` or `$response.next`, to a pointer; a path with anything else is not read. */
function fromJsonPath(value: Json | undefined): string | undefined {
  const names = /^\$(?:response)?((?:\.[\w-]+)+)$/.exec(String(value ?? ''))?.[1];
  return names === undefined ? undefined : toPointer(names.slice(1).split('.'));
}
