/**
 * Mutants that are edits of the contract: other keys, other reactions to invalid values, other limits, levels of visibility and error codes. `find-mutants.ts`
 * lists them for each contract, when mutants are listed or a mock with mutants starts or reloads. `serve-mutants.ts` makes the edits of chosen mutants at each
 * start and reload. The order of a list is in `order-and-page-mutants.ts`.
 */

import type { InvalidAnswer, InvalidClass } from '../../core/annotations/annotations.ts';
import { arrayOrEmpty, isObject, type Json, type JsonObject, objectOrEmpty } from '../../core/json.ts';
import { selectByArguments, withArgument } from '../../core/mutants/mutant.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import { mergedBranchKeywords, schemasAt } from '../../core/openapi/applicable-schemas-and-types.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type Document, follow } from '../../core/openapi/document.ts';
import type { Edit } from '../../core/openapi/edit-document.ts';
import { type ListOperation, listsOf } from '../../core/openapi/list-operation.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { schemaOfSuccess } from '../../core/openapi/operation.ts';
import { fromPointer, toPointer, valueAt } from '../../core/pointer.ts';
import type { FilterArguments } from '../../core/query/query.ts';
import { isReactionStated } from './has-stated-rule.ts';
import { createMutant, type ServedMutant } from './mock-mutant.ts';
import { failureStatuses } from './response-mutants.ts';

/** Lists the mutants of a contract that are edits of it, but for those of the order. */
export function contractEditMutants(contract: Contract): readonly ServedMutant[] {
  return [
    ...securityMutants(contract),
    ...listsOf(contract).flatMap((list) => [
      ...invalidValueMutants(contract, list),
      ...refusedValueMutants(list),
      ...invertedRangeMutants(list),
      ...limitMutants(list),
      ...shownLevelMutants(contract, list),
    ]),
    ...damagedCursorMutants(contract),
    ...contract.operations.flatMap((operation) => [...identifierMutants(contract, operation), ...choiceMutants(operation)]),
    ...codeMutants(contract),
  ];
}

function securityMutants(contract: Contract): readonly ServedMutant[] {
  const guardedOperations = contract.operations.filter((operation) => operation.security.length > 0);
  const roles = contract.scopes.map((scope) => scope.role);
  return [
    ...carrierMutants(contract, guardedOperations),
    ...guardedOperations.map((operation) =>
      createMutant(
        'missing-key-accepted',
        { operation: operation.id },
        {
          edits: [securityEdit(operation, [...requirementsOf(operation), {}])],
        },
      ),
    ),
    ...guardedOperations.flatMap((operation) => scopeMutants(operation, roles)),
  ];
}

/** Mutants that ignore one of several carriers of a key. */
function carrierMutants(contract: Contract, guardedOperations: readonly Operation[]): readonly ServedMutant[] {
  const schemes = (guardedOperations[0]?.security ?? []).map((alternative) => alternative.map(({ scheme }) => scheme).join('+'));
  if (schemes.length < 2) return [];
  return schemes.map((scheme, index) =>
    createMutant(
      'carrier-ignored',
      { operation: contract.name, part: scheme, words: { carrier: scheme } },
      {
        edits: guardedOperations
          .filter((operation) => operation.security.length > index)
          .map((operation) => securityEdit(operation, requirementsOf(operation).toSpliced(index, 1))),
      },
    ),
  );
}

function scopeMutants(operation: Operation, roles: readonly string[]): readonly ServedMutant[] {
  const [scope, ...furtherScopes] = operation.security.flat().flatMap(({ scopes }) => scopes);
  if (scope === undefined) return [];
  const requireScopes = (scopes: readonly string[]): readonly Edit[] => {
    const requirements = requirementsOf(operation).map((each) => Object.fromEntries(Object.keys(each).map((scheme) => [scheme, scopes])));
    return [securityEdit(operation, requirements)];
  };
  // That a single read asks for another scope looks the same as that of its list.
  const otherScope =
    operation.collection === undefined ? undefined : roles.findLast((role) => role !== scope && !furtherScopes.includes(role));
  const place = { operation: operation.id, words: { scope, other: otherScope ?? '' } };
  return [
    createMutant('scope-unchecked', place, { edits: requireScopes([]) }),
    ...(otherScope === undefined ? [] : [createMutant('scope-confused', place, { edits: requireScopes([otherScope]) })]),
  ];
}

/** Wrong reactions to invalid values of a filter. */
const invalidValueRows: readonly {
  readonly kind: MutantKind;
  readonly filterKind: 'listed' | 'bound' | 'checkpoint';
  readonly reaction: InvalidAnswer;
}[] = [
  { kind: 'filter-unknown-ignored', filterKind: 'listed', reaction: 'ignored' },
  { kind: 'filter-unknown-empty', filterKind: 'listed', reaction: 'empty' },
  { kind: 'impossible-ignored', filterKind: 'bound', reaction: 'ignored' },
  { kind: 'checkpoint-malformed-ignored', filterKind: 'checkpoint', reaction: 'ignored' },
  { kind: 'checkpoint-malformed-empty', filterKind: 'checkpoint', reaction: 'empty' },
];

function invalidValueMutants(contract: Contract, list: ListOperation): readonly ServedMutant[] {
  return [...list.collection.filters.keys()].flatMap((name) => {
    const filterKind = filterKindOf(list, name);
    const problem: InvalidClass = filterKind === 'listed' ? 'unknown-value' : 'malformed';
    if (filterKind === undefined || !isReactionStated(contract, list, name, problem)) return [];
    const place = { operation: list.id, part: name, words: { parameter: name } };
    const edit = (reaction: InvalidAnswer): Edit => ({
      op: 'add',
      at: `${parameterPointer(list, name)}/x-invalid`,
      value: { [problem]: reaction },
    });
    return invalidValueRows
      .filter((each) => each.filterKind === filterKind)
      .map(({ kind, reaction }) => createMutant(kind, place, { edits: [edit(reaction)] }));
  });
}

function filterKindOf({ collection, parameters }: ListOperation, name: string): 'listed' | 'bound' | 'checkpoint' | undefined {
  const filter = collection.filters.get(name);
  if (filter === undefined || filter.operator === 'matches') return undefined;
  const allowed = parameters.find((each) => each.key === name)?.allowed ?? [];
  if (filter.operator === 'equals' || filter.operator === 'any-of') return allowed.length > 1 ? 'listed' : undefined;
  if (filter.operator === 'from' && filter.field === collection.version) return 'checkpoint';
  return filter.operator === 'from' || filter.operator === 'to' ? 'bound' : undefined;
}

/** Mutants that refuse the last listed value of a filter. */
function refusedValueMutants(list: ListOperation): readonly ServedMutant[] {
  return [...list.collection.filters].flatMap(([name, filter]) => {
    const allowed = list.parameters.find((each) => each.key === name)?.allowed ?? [];
    const at = `${parameterPointer(list, name)}/schema/${filter.operator === 'any-of' ? 'items/' : ''}enum`;
    if (filterKindOf(list, name) !== 'listed' || !hasValueAt(list.document, at)) return [];
    const place = { operation: list.id, part: name, words: { parameter: name, value: String(allowed.at(-1)) } };
    return [createMutant('filter-value-refused', place, { edits: [{ op: 'replace', at, value: allowed.slice(0, -1) }] })];
  });
}

/** Mutants that accept two bounds in the wrong order. */
function invertedRangeMutants(list: ListOperation): readonly ServedMutant[] {
  return list.rules.flatMap(({ rule, parameters: [lower, upper] }, index) => {
    if (rule !== 'ordered' || lower === undefined || upper === undefined || !list.collection.filters.has(lower)) return [];
    const edits: readonly Edit[] = [{ op: 'remove', at: `${list.pointer}/x-parameter-rules/${index}` }];
    const isInverted = (values: FilterArguments): boolean =>
      values.has(upper) && String(values.get(lower) ?? '') > String(values.get(upper));
    const swap = (values: FilterArguments): FilterArguments =>
      withArgument(withArgument(values, lower, values.get(upper) ?? null), upper, values.get(lower) ?? null);
    const place = { operation: list.id, part: lower, words: { parameter: lower, other: upper } };
    return [
      createMutant('inverted-range-empty', place, { edits }),
      createMutant('inverted-range-swapped', place, {
        edits,
        selects: selectByArguments((values) => (isInverted(values) ? swap(values) : values)),
      }),
    ];
  });
}

/** Mutants of the page size: another default or maximum, and other responses to an out-of-range size. */
function limitMutants(list: ListOperation): readonly ServedMutant[] {
  const { page } = list.collection;
  const { limit } = page;
  const schema = list.parameters.find((each) => each.key === limit)?.schema;
  if (page.style === 'offset' || typeof schema !== 'object') return [];
  const pointer = parameterPointer(list, limit);
  const { maximum, default: defaultLimit } = schema;
  const hasKeyword = (key: string): boolean => hasValueAt(list.document, `${pointer}/schema/${key}`);
  const replaceKeyword = (key: string, value: Json): readonly Edit[] => [{ op: 'replace', at: `${pointer}/schema/${key}`, value }];
  const reactionEdits = (value: InvalidAnswer): readonly Edit[] => [
    { op: 'add', at: `${pointer}/x-invalid`, value: { 'out-of-range': value } },
  ];
  const group = page.style === 'cursor' ? 'paging' : 'pages';
  const place = { operation: list.id, group, words: { parameter: limit, value: Number(maximum) } } as const;
  const hasMaximum = page.style === 'cursor' && typeof maximum === 'number' && hasKeyword('maximum');
  return [
    ...(typeof defaultLimit === 'number' && hasKeyword('default')
      ? [createMutant('default-limit-other', place, { edits: replaceKeyword('default', Math.ceil(defaultLimit * 0.4)) })]
      : []),
    ...(page.style === 'page' ? pageDefault(list, page.page) : []),
    ...(hasMaximum
      ? [
          createMutant('limit-maximum-lower', place, {
            edits: replaceKeyword('maximum', Math.floor(maximum / 2)),
          }),
          createMutant('limit-maximum-higher', place, { edits: replaceKeyword('maximum', maximum * 10) }),
          createMutant('limit-clamped', place, { edits: reactionEdits('clamped') }),
          createMutant('limit-empty', place, { edits: reactionEdits('empty') }),
        ]
      : []),
  ];
}

function pageDefault(list: ListOperation, page: string): readonly ServedMutant[] {
  const at = `${parameterPointer(list, page)}/schema/default`;
  if (!hasValueAt(list.document, at)) return [];
  const place = { operation: list.id, words: { parameter: page } };
  return [createMutant('default-page-other', place, { edits: [{ op: 'replace', at, value: 2 }] })];
}

/** Mutants that show one more level of visibility to everybody. */
function shownLevelMutants(contract: Contract, list: ListOperation): readonly ServedMutant[] {
  const { visible, items } = list.collection;
  if (visible === undefined) return [];
  const { field, shown } = visible;
  const schemas = schemasAt(contract.closed, schemaOfSuccess(list.responses) ?? true, `${items}/0${field}`);
  const levels = schemas
    .flatMap((schema) => mergedBranchKeywords(contract.closed, schema)['enum'] ?? [])
    .filter((level) => typeof level === 'string');
  return [...new Set(levels)]
    .filter((level) => !shown.includes(level))
    .map((level) =>
      createMutant(
        'level-shown',
        { operation: list.id, part: level, words: { field: field.slice(1), value: level } },
        {
          edits: [{ op: 'replace', at: `${list.pointer}/x-collection/visible/shown`, value: [...shown, level] }],
        },
      ),
    );
}

/** Mutants of the response to a damaged cursor. */
function damagedCursorMutants(contract: Contract): readonly ServedMutant[] {
  const list = listsOf(contract).find(({ collection }) => collection.page.style === 'cursor');
  if (list === undefined || !isReactionStated(contract, list, '', 'damaged-cursor')) return [];
  const place = { operation: contract.name, words: { cursor: 'a damaged cursor' } };
  const reactionEdits = (value: InvalidAnswer): readonly Edit[] => [{ op: 'replace', at: '/x-invalid/damaged-cursor', value }];
  return [
    createMutant('damaged-cursor-restarts', place, { edits: reactionEdits('ignored') }),
    createMutant('damaged-cursor-empty', place, { edits: reactionEdits('empty') }),
  ];
}

/** Mutants of numeric identifiers. */
function identifierMutants(contract: Contract, operation: Operation): readonly ServedMutant[] {
  const identifyingParameters = operation.parameters.filter(
    ({ key, kinds }) => operation.resource?.by.has(key) === true && !kinds.includes('string'),
  );
  return identifyingParameters.flatMap(({ name, required, schema }) => {
    const pointer = parameterPointer(operation, name);
    const at = `${pointer}/schema/minimum`;
    const minimum = typeof schema === 'object' && hasValueAt(operation.document, at) ? schema['minimum'] : undefined;
    const place = { operation: operation.id, part: name, words: { parameter: name, value: String(minimum) } };
    // As one of several identifiers, an ignored value leaves none, which is refused all the same.
    const isMalformed = required && isReactionStated(contract, operation, name, 'malformed');
    const edits: readonly Edit[] = [{ op: 'add', at: `${pointer}/x-invalid`, value: { malformed: 'empty' } }];
    return [
      ...(minimum === undefined ? [] : [createMutant('identifier-unbounded', place, { edits: [{ op: 'remove', at }] })]),
      ...(isMalformed ? [createMutant('identifier-malformed-absent', place, { edits: edits })] : []),
    ];
  });
}

/** Mutants that do not check that exactly one of several identifiers is sent. */
function choiceMutants(operation: Operation): readonly ServedMutant[] {
  return operation.rules.flatMap(({ rule, parameters: [first = '', ...others] }, index) => {
    if (rule !== 'exactly-one-of' || operation.resource === undefined) return [];
    const place = { operation: operation.id, words: { parameter: first, other: others.join(' and ') } };
    const edits: readonly Edit[] = [{ op: 'remove', at: `${operation.pointer}/x-parameter-rules/${index}` }];
    return [createMutant('choice-unchecked', place, { edits })];
  });
}

function codeMutants(contract: Contract): readonly ServedMutant[] {
  const code = contract.error?.code;
  if (code === undefined) return [];
  return failureStatuses(contract).flatMap((status) => {
    const edits = contract.operations.flatMap((operation) => codeEdits(operation, status, code));
    const place = { operation: contract.name, part: status, words: { failure: `a ${status}` } };
    return edits.length === 0 ? [] : [createMutant('code-other', place, { edits })];
  });
}

/** The places in the schemas of a response that fix its code. */
function codeEdits(operation: Operation, status: string, code: string): readonly Edit[] {
  const response = follow(operation.document, valueAt(operation.value, `/responses/${status}`));
  const content = valueAt(response, '/content');
  const codeKeys = fromPointer(code).flatMap((key) => ['properties', key]);
  return Object.entries(objectOrEmpty(content)).flatMap(([type, media]) => {
    const parts = valueAt(media, '/schema/allOf');
    return arrayOrEmpty(parts).flatMap((part, index): readonly Edit[] => {
      if (valueAt(part, `${toPointer(codeKeys)}/const`) === undefined) return [];
      const pointer = toPointer(['responses', status, 'content', type, 'schema', 'allOf', index, ...codeKeys, 'const']);
      return [{ op: 'replace', at: `${operation.pointer}${pointer}`, value: 'ERROR' }];
    });
  });
}

/** The pointer of a parameter of an operation in the closed document, where the operation or its path declares it. */
function parameterPointer(operation: Operation, name: string): string {
  const path = toPointer(['paths', operation.path]);
  const item = follow(operation.document, valueAt(operation.document.root, path));
  const ownIndex = indexOf(operation.document, operation.value['parameters'], name);
  if (ownIndex >= 0) return `${operation.pointer}/parameters/${ownIndex}`;
  return `${path}/parameters/${indexOf(operation.document, valueAt(item, '/parameters'), name)}`;
}

function indexOf(document: Document, parameters: Json | undefined, name: string): number {
  return arrayOrEmpty(parameters).findIndex((entry) => valueAt(follow(document, entry), '/name') === name);
}

/** True when a document has a value at a pointer. References are followed, as edits do. */
function hasValueAt(document: Document, pointer: string): boolean {
  const target = fromPointer(pointer).reduce<Json | undefined>(
    (value, key) => valueAt(follow(document, value), toPointer([key])),
    document.root,
  );
  return target !== undefined;
}

/** The requirements that an operation has, its own or those of the whole file. */
function requirementsOf(operation: Operation): readonly JsonObject[] {
  const requirements = operation.value['security'] ?? operation.document.root['security'];
  return arrayOrEmpty(requirements).filter(isObject);
}

/** The edit that gives an operation other security requirements. */
function securityEdit(operation: Operation, requirements: readonly JsonObject[]): Edit {
  return { op: 'add', at: `${operation.pointer}/security`, value: requirements };
}
