/**
 * Mutants that are edits of the contract: other keys, other reactions to invalid values, other limits, levels of visibility and error codes. The mock obeys the
 * edited contract, so nearly none needs code at a request.
 */

import type { InvalidAnswer, InvalidClass } from '../../core/annotations/annotations.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { selectByArguments, withArgument } from '../../core/mutants/mutant.ts';
import { isStated, parameterPointer } from '../../core/openapi/clauses.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Edit } from '../../core/openapi/copy-with-edits.ts';
import type { Document } from '../../core/openapi/document.ts';
import { isCursorList, type ListOperation, listsOf } from '../../core/openapi/list-operation.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { schemaOfSuccess } from '../../core/openapi/operation.ts';
import { mergedBranchKeywords, schemasAt } from '../../core/openapi/schema-facts.ts';
import { fromPointer, toPointer } from '../../core/pointer.ts';
import type { FilterArguments } from '../../core/query/query.ts';
import { apiMutants, type Deviation, type ListedMutant, operationMutants } from './mock-mutant.ts';
import { failureStatuses } from './response-mutants.ts';
import { isReactionStated } from './stated-rules.ts';

/** Lists the mutants of a contract that are edits of it, but for those of the order. */
export function contractEditMutants(contract: Contract): readonly ListedMutant[] {
  return [
    ...securityMutants(contract),
    ...listsOf(contract).flatMap((list) => [
      ...[...list.collection.filters.keys()].flatMap((name) => filterValueMutants(contract, list, name)),
      ...invertedRangeMutants(list),
      ...limitMutants(list),
      ...shownLevelMutants(contract, list),
    ]),
    ...damagedCursorMutants(contract),
    ...contract.operations.flatMap((operation) => [...identifierMutants(contract, operation), ...choiceMutants(operation)]),
    ...codeMutants(contract),
  ];
}

function securityMutants(contract: Contract): readonly ListedMutant[] {
  const guardedOperations = contract.operations.filter((operation) => operation.security.length > 0);
  const roles = contract.scopes.map((scope) => scope.role);
  return [
    ...carrierMutants(contract, guardedOperations),
    ...guardedOperations.flatMap((operation) => [
      ...operationMutants(
        { operation: operation.id },
        { 'missing-key-accepted': { edits: [securityEdit(operation, [...requirementsOf(operation), {}])] } },
      ),
      ...scopeMutants(operation, roles),
    ]),
  ];
}

/** Mutants that ignore one of several carriers of a key, in each operation that takes the key in this carrier or another. */
function carrierMutants({ name }: Contract, guardedOperations: readonly Operation[]): readonly ListedMutant[] {
  const operations = guardedOperations.filter(({ security }) => security.length > 1);
  const carriers = new Set(operations.flatMap(carriersOf).filter((carrier) => carrier !== ''));
  return [...carriers].flatMap((carrier) => {
    const edits = operations
      .filter((operation) => carriersOf(operation).includes(carrier))
      .map((operation) => securityEdit(operation, requirementsOf(operation).toSpliced(carriersOf(operation).indexOf(carrier), 1)));
    return apiMutants({ operation: name, part: carrier, words: { carrier } }, { 'carrier-ignored': { edits } });
  });
}

/** The names of the security schemes of each alternative; empty for an alternative without a key. */
function carriersOf({ security }: Operation): readonly string[] {
  return security.map((alternative) => alternative.map(({ scheme }) => scheme).join('+'));
}

function scopeMutants(operation: Operation, roles: readonly string[]): readonly ListedMutant[] {
  const [scope, ...furtherScopes] = operation.security.flat().flatMap(({ scopes }) => scopes);
  if (scope === undefined) return [];
  const requireScopes = (scopes: readonly string[]): Deviation => {
    const requirements = requirementsOf(operation).map((each) => Object.fromEntries(Object.keys(each).map((scheme) => [scheme, scopes])));
    return { edits: [securityEdit(operation, requirements)] };
  };
  // For a single read, it would be indistinguishable from the list's scope mutant.
  const otherScope =
    operation.collection === undefined ? undefined : roles.findLast((role) => role !== scope && !furtherScopes.includes(role));
  return operationMutants(
    { operation: operation.id, words: { scope, other: otherScope ?? '' } },
    { 'scope-unchecked': requireScopes([]), 'scope-confused': otherScope !== undefined && requireScopes([otherScope]) },
  );
}

/** Mutants that react to invalid values of a filter in another way, or refuse its last listed value. */
function filterValueMutants(contract: Contract, list: ListOperation, name: string): readonly ListedMutant[] {
  const kind = filterKindOf(list, name);
  const filter = list.collection.filters.get(name);
  const allowed = list.parameters.find((each) => each.key === name)?.allowed ?? [];
  const pointer = parameterPointer(list, name);
  const problem: InvalidClass = kind === 'listed' ? 'unknown-value' : 'malformed';
  const isStatedHere = isReactionStated(contract, list, name, problem);
  const react = (filterKind: typeof kind, reaction: InvalidAnswer): Deviation | false =>
    filterKind === kind && isStatedHere && editInvalid(pointer, { [problem]: reaction });
  const enumPointer = `${pointer}/schema/${filter?.operator === 'any-of' ? 'items/' : ''}enum`;
  return operationMutants(
    { operation: list.id, part: name, words: { parameter: name, value: String(allowed.at(-1)) } },
    {
      'filter-unknown-ignored': react('listed', 'ignored'),
      'filter-unknown-empty': react('listed', 'empty'),
      'impossible-ignored': react('bound', 'ignored'),
      'checkpoint-malformed-ignored': react('checkpoint', 'ignored'),
      'checkpoint-malformed-empty': react('checkpoint', 'empty'),
      'filter-value-refused': kind === 'listed' && replaceExisting(list.document, enumPointer, allowed.slice(0, -1)),
    },
  );
}

/** States other reactions to invalid values of a parameter. */
function editInvalid(parameter: string, reactions: Readonly<Partial<Record<InvalidClass, InvalidAnswer>>>): Deviation {
  return { edits: [{ op: 'add', at: `${parameter}/x-invalid`, value: reactions }] };
}

function filterKindOf({ collection, parameters }: ListOperation, name: string): 'listed' | 'bound' | 'checkpoint' | undefined {
  const filter = collection.filters.get(name);
  if (filter === undefined || filter.operator === 'matches') return undefined;
  const allowed = parameters.find((each) => each.key === name)?.allowed ?? [];
  if (filter.operator === 'equals' || filter.operator === 'any-of') return allowed.length > 1 ? 'listed' : undefined;
  if (filter.operator === 'from' && filter.field === collection.version) return 'checkpoint';
  return filter.operator === 'from' || filter.operator === 'to' ? 'bound' : undefined;
}

/** Mutants that accept two bounds in the wrong order. */
function invertedRangeMutants(list: ListOperation): readonly ListedMutant[] {
  return list.rules.flatMap(({ rule, parameters: [lower, upper] }, index) => {
    if (rule !== 'ordered' || lower === undefined || upper === undefined || !list.collection.filters.has(lower)) return [];
    const edits: readonly Edit[] = [{ op: 'remove', at: `${list.pointer}/x-parameter-rules/${index}` }];
    const isInverted = (values: FilterArguments): boolean =>
      values.has(upper) && String(values.get(lower) ?? '') > String(values.get(upper));
    const swap = (values: FilterArguments): FilterArguments =>
      withArgument(withArgument(values, lower, values.get(upper) ?? null), upper, values.get(lower) ?? null);
    return operationMutants(
      { operation: list.id, part: lower, words: { parameter: lower, other: upper } },
      {
        'inverted-range-empty': { edits },
        'inverted-range-swapped': { edits, selects: selectByArguments((values) => (isInverted(values) ? swap(values) : values)) },
      },
    );
  });
}

/** Mutants of the page size: another default or maximum, and other responses to an out-of-range size. */
function limitMutants(list: ListOperation): readonly ListedMutant[] {
  const { page } = list.collection;
  const schema = list.parameters.find((each) => each.key === page.limit)?.schema;
  if (page.style === 'offset' || typeof schema !== 'object') return [];
  const { maximum, default: defaultLimit } = schema;
  const pointer = parameterPointer(list, page.limit);
  const replaceKeyword = (name: string, keyword: string, value: Json): Deviation | undefined =>
    replaceExisting(list.document, `${parameterPointer(list, name)}/schema/${keyword}`, value);
  const hasMaximum = page.style === 'cursor' && typeof maximum === 'number' && isStated(list.document, `${pointer}/schema/maximum`);
  return [
    ...operationMutants(
      { operation: list.id, group: page.style === 'cursor' ? 'paging' : 'pages', words: { parameter: page.limit, value: Number(maximum) } },
      {
        'default-limit-other': typeof defaultLimit === 'number' && replaceKeyword(page.limit, 'default', Math.ceil(defaultLimit * 0.4)),
        'limit-maximum-lower': hasMaximum && replaceKeyword(page.limit, 'maximum', Math.floor(maximum / 2)),
        'limit-maximum-higher': hasMaximum && replaceKeyword(page.limit, 'maximum', maximum * 10),
        'limit-clamped': hasMaximum && editInvalid(pointer, { 'out-of-range': 'clamped' }),
        'limit-empty': hasMaximum && editInvalid(pointer, { 'out-of-range': 'empty' }),
      },
    ),
    ...(page.style === 'page'
      ? operationMutants(
          { operation: list.id, words: { parameter: page.page } },
          { 'default-page-other': replaceKeyword(page.page, 'default', 2) },
        )
      : []),
  ];
}

/** Mutants that show one more level of visibility to everybody. */
function shownLevelMutants(contract: Contract, list: ListOperation): readonly ListedMutant[] {
  const { visible, items } = list.collection;
  if (visible === undefined) return [];
  const { field, shown } = visible;
  const schemas = schemasAt(contract.closed, schemaOfSuccess(list.responses) ?? true, `${items}/0${field}`);
  const levels = schemas
    .flatMap((schema) => mergedBranchKeywords(contract.closed, schema)['enum'] ?? [])
    .filter((level) => typeof level === 'string');
  return [...new Set(levels)]
    .filter((level) => !shown.includes(level))
    .flatMap((level) =>
      operationMutants(
        { operation: list.id, part: level, words: { field: field.slice(1), value: level } },
        { 'level-shown': replace(`${list.pointer}/x-collection/visible/shown`, [...shown, level]) },
      ),
    );
}

/** Mutants of the response to a damaged cursor. */
function damagedCursorMutants(contract: Contract): readonly ListedMutant[] {
  const list = listsOf(contract).find(isCursorList);
  if (list === undefined || !isReactionStated(contract, list, '', 'damaged-cursor')) return [];
  return apiMutants(
    { operation: contract.name, words: { cursor: 'a damaged cursor' } },
    {
      'damaged-cursor-restarts': replace('/x-invalid/damaged-cursor', 'ignored'),
      'damaged-cursor-empty': replace('/x-invalid/damaged-cursor', 'empty'),
    },
  );
}

/** Mutants of numeric identifiers. */
function identifierMutants(contract: Contract, operation: Operation): readonly ListedMutant[] {
  const identifyingParameters = operation.parameters.filter(
    ({ key, kinds }) => operation.resource?.by.has(key) === true && !kinds.includes('string'),
  );
  return identifyingParameters.flatMap(({ name, required, schema }) => {
    const pointer = parameterPointer(operation, name);
    const at = `${pointer}/schema/minimum`;
    const minimum = typeof schema === 'object' && isStated(operation.document, at) ? schema['minimum'] : undefined;
    // As one of several identifiers, an ignored value leaves none, which is refused all the same.
    const isMalformed = required && isReactionStated(contract, operation, name, 'malformed');
    return operationMutants(
      { operation: operation.id, part: name, words: { parameter: name, value: String(minimum) } },
      {
        'identifier-unbounded': minimum !== undefined && { edits: [{ op: 'remove', at }] },
        'identifier-malformed-absent': isMalformed && editInvalid(pointer, { malformed: 'empty' }),
      },
    );
  });
}

/** Mutants that do not check that exactly one of several identifiers is sent. */
function choiceMutants(operation: Operation): readonly ListedMutant[] {
  return operation.rules.flatMap(({ rule, parameters: [first = '', ...others] }, index) => {
    if (rule !== 'exactly-one-of' || operation.resource === undefined) return [];
    return operationMutants(
      { operation: operation.id, words: { parameter: first, other: others.join(' and ') } },
      { 'choice-unchecked': { edits: [{ op: 'remove', at: `${operation.pointer}/x-parameter-rules/${index}` }] } },
    );
  });
}

function codeMutants(contract: Contract): readonly ListedMutant[] {
  const code = contract.error?.code;
  if (code === undefined) return [];
  return failureStatuses(contract).flatMap((status) => {
    const edits = contract.operations.flatMap((operation) => codeEdits(operation, status, code));
    const place = { operation: contract.name, part: status, words: { failure: `a ${status}` } };
    return apiMutants(place, { 'code-other': edits.length > 0 && { edits } });
  });
}

/** The places in the schemas of a response that fix its code. */
function codeEdits(operation: Operation, status: string, code: string): readonly Edit[] {
  const codeKeys = fromPointer(code).flatMap((key) => ['properties', key]);
  return [...(operation.responses.get(status)?.content.values() ?? [])].flatMap(({ type }) => {
    const schema = `${operation.pointer}${toPointer(['responses', status, 'content', type, 'schema'])}`;
    const edits: Edit[] = [];
    for (let index = 0; isStated(operation.document, `${schema}/allOf/${index}`); index += 1) {
      const at = `${schema}/allOf/${index}${toPointer([...codeKeys, 'const'])}`;
      if (isStated(operation.document, at)) edits.push({ op: 'replace', at, value: 'ERROR' });
    }
    return edits;
  });
}

/** Replaces a value of the contract. */
function replace(at: string, value: Json): Deviation {
  return { edits: [{ op: 'replace', at, value }] };
}

/** Replaces a value of the contract; `undefined` if the file has none there. */
function replaceExisting(document: Document, at: string, value: Json): Deviation | undefined {
  return isStated(document, at) ? replace(at, value) : undefined;
}

/** The requirements that an operation has, its own or those of the whole file. */
function requirementsOf({ security }: Operation): readonly JsonObject[] {
  return security.map((alternative) => Object.fromEntries(alternative.map(({ scheme, scopes }) => [scheme, scopes])));
}

/** The edit that gives an operation other security requirements. */
function securityEdit(operation: Operation, requirements: readonly JsonObject[]): Edit {
  return { op: 'add', at: `${operation.pointer}/security`, value: requirements };
}
