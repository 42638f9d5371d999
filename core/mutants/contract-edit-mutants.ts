/**
 * Mutants that are edits of a contract: other keys, other responses to invalid requests, other limits of pages, levels of visibility and error codes.
 * `find-mutants.ts` of the mock lists them for each contract; `response-mutants.ts` and `list-mutants.ts` build some of theirs with it. The mock serves the
 * edited contract. Orders and the content of pages are in `page-mutants.ts`.
 */

import type { CursorPage, InvalidAnswer, InvalidClass } from '../annotations/annotations.ts';
import { arrayOrEmpty, isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { gather, schemasAt } from '../openapi/applicable-schemas.ts';
import type { Contract } from '../openapi/contract.ts';
import { type Document, follow } from '../openapi/document.ts';
import type { Edit } from '../openapi/edit-document.ts';
import { type ListOperation, listsOf } from '../openapi/list-operation.ts';
import type { Operation } from '../openapi/operation.ts';
import { schemaOfSuccess } from '../openapi/operation.ts';
import { fromPointer, toPointer, valueAt } from '../pointer.ts';
import type { FilterArguments } from '../query/query.ts';
import { isAnswerStated } from './has-stated-rule.ts';
import { type ContractMutant, contractMutant, withArgument } from './mutant.ts';
import type { MutantKindOf, MutatedRule } from './mutant-catalogue.ts';

/** Every mutant of a contract that is an edit of it, except those of orders, which are in page-mutants.ts. */
export function listContractMutants(contract: Contract): readonly ContractMutant[] {
  return [
    ...securityMutants(contract),
    ...listsOf(contract).flatMap((list) => [
      ...invalidMutants(contract, list),
      ...refusedValueMutants(list),
      ...invertedMutants(list),
      ...limitMutants(list),
      ...visibilityMutants(contract, list),
    ]),
    ...cursorMutants(contract),
    ...contract.operations.flatMap((operation) => [...identifierMutants(contract, operation), ...choiceMutants(operation)]),
    ...codeMutants(contract),
  ];
}

function securityMutants(contract: Contract): readonly ContractMutant[] {
  const guardedOperations = contract.operations.filter((operation) => operation.security.length > 0);
  const roles = contract.scopes.map((scope) => scope.role);
  return [
    ...carrierMutants(contract, guardedOperations),
    ...guardedOperations.map((operation) =>
      contractMutant(
        'keys/missing',
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
function carrierMutants(contract: Contract, guardedOperations: readonly Operation[]): readonly ContractMutant[] {
  const schemes = (guardedOperations[0]?.security ?? []).map((alternative) => alternative.map(({ scheme }) => scheme).join('+'));
  if (schemes.length < 2) return [];
  return schemes.map((scheme, index) =>
    contractMutant(
      'keys/carriers',
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

function scopeMutants(operation: Operation, roles: readonly string[]): readonly ContractMutant[] {
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
    contractMutant('keys/scopes', 'scope-unchecked', place, { edits: requireScopes([]) }),
    ...(otherScope === undefined ? [] : [contractMutant('keys/scopes', 'scope-confused', place, { edits: requireScopes([otherScope]) })]),
  ];
}

/** Responses to invalid values, by the rule that refuses them. */
const invalidRows: readonly {
  readonly rule: MutatedRule;
  readonly kind: MutantKindOf<MutatedRule>;
  readonly filterKind: 'listed' | 'bound' | 'checkpoint';
  readonly answer: InvalidAnswer;
}[] = [
  { rule: 'filters/unknown-value', kind: 'filter-unknown-ignored', filterKind: 'listed', answer: 'ignored' },
  { rule: 'filters/unknown-value', kind: 'filter-unknown-empty', filterKind: 'listed', answer: 'empty' },
  { rule: 'ranges/impossible', kind: 'impossible-ignored', filterKind: 'bound', answer: 'ignored' },
  { rule: 'sync/malformed', kind: 'checkpoint-malformed-ignored', filterKind: 'checkpoint', answer: 'ignored' },
  { rule: 'sync/malformed', kind: 'checkpoint-malformed-empty', filterKind: 'checkpoint', answer: 'empty' },
];

function invalidMutants(contract: Contract, list: ListOperation): readonly ContractMutant[] {
  return [...list.collection.filters.keys()].flatMap((name) => {
    const filterKind = filterKindOf(list, name);
    const problem: InvalidClass = filterKind === 'listed' ? 'unknown-value' : 'malformed';
    if (filterKind === undefined || !isAnswerStated(contract, list, name, problem)) return [];
    const place = { operation: list.id, part: name, words: { parameter: name } };
    const edit = (answer: InvalidAnswer): Edit => ({
      op: 'add',
      at: `${parameterPointer(list, name)}/x-invalid`,
      value: { [problem]: answer },
    });
    return invalidRows
      .filter((each) => each.filterKind === filterKind)
      .map(({ rule, kind, answer }) => contractMutant(rule, kind, place, { edits: [edit(answer)] }));
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
function refusedValueMutants(list: ListOperation): readonly ContractMutant[] {
  return [...list.collection.filters].flatMap(([name, filter]) => {
    const allowed = list.parameters.find((each) => each.key === name)?.allowed ?? [];
    const at = `${parameterPointer(list, name)}/schema/${filter.operator === 'any-of' ? 'items/' : ''}enum`;
    if (filterKindOf(list, name) !== 'listed' || !hasValueAt(list.document, at)) return [];
    const place = { operation: list.id, part: name, words: { parameter: name, value: String(allowed.at(-1)) } };
    return [
      contractMutant('filters/values', 'filter-value-refused', place, { edits: [{ op: 'replace', at, value: allowed.slice(0, -1) }] }),
    ];
  });
}

/** Mutants that accept two bounds in the wrong order. */
function invertedMutants(list: ListOperation): readonly ContractMutant[] {
  return list.rules.flatMap(({ rule, parameters: [lower, upper] }, index) => {
    if (rule !== 'ordered' || lower === undefined || upper === undefined || !list.collection.filters.has(lower)) return [];
    const edits: readonly Edit[] = [{ op: 'remove', at: `${list.pointer}/x-parameter-rules/${index}` }];
    const isInverted = (values: FilterArguments): boolean =>
      values.has(upper) && String(values.get(lower) ?? '') > String(values.get(upper));
    const swap = (values: FilterArguments): FilterArguments =>
      withArgument(withArgument(values, lower, values.get(upper) ?? null), upper, values.get(lower) ?? null);
    const place = { operation: list.id, part: lower, words: { parameter: lower, other: upper } };
    return [
      contractMutant('ranges/inverted', 'inverted-range-empty', place, { edits }),
      contractMutant('ranges/inverted', 'inverted-range-swapped', place, {
        edits,
        arguments: (values: FilterArguments) => (isInverted(values) ? swap(values) : values),
      }),
    ];
  });
}

/** Mutants of the page size: another default or maximum, and other responses to an out-of-range size. */
function limitMutants(list: ListOperation): readonly ContractMutant[] {
  const { page } = list.collection;
  const { limit } = page;
  const schema = list.parameters.find((each) => each.key === limit)?.schema;
  if (page.style === 'offset' || typeof schema !== 'object') return [];
  const pointer = parameterPointer(list, limit);
  const { maximum, default: defaultLimit } = schema;
  const hasKeyword = (key: string): boolean => hasValueAt(list.document, `${pointer}/schema/${key}`);
  const replaceKeyword = (key: string, value: Json): readonly Edit[] => [{ op: 'replace', at: `${pointer}/schema/${key}`, value }];
  const answerEdits = (value: InvalidAnswer): readonly Edit[] => [
    { op: 'add', at: `${pointer}/x-invalid`, value: { 'out-of-range': value } },
  ];
  const place = { operation: list.id, words: { parameter: limit, value: Number(maximum) } };
  const defaultRule = page.style === 'cursor' ? 'paging/limit-default' : 'pages/defaults';
  const hasMaximum = page.style === 'cursor' && typeof maximum === 'number' && hasKeyword('maximum');
  return [
    ...(typeof defaultLimit === 'number' && hasKeyword('default')
      ? [contractMutant(defaultRule, 'default-limit-other', place, { edits: replaceKeyword('default', Math.ceil(defaultLimit * 0.4)) })]
      : []),
    ...(page.style === 'page' ? pageDefault(list, page.page) : []),
    ...(hasMaximum
      ? [
          contractMutant('paging/limit-bounds', 'limit-maximum-lower', place, {
            edits: replaceKeyword('maximum', Math.floor(maximum / 2)),
          }),
          contractMutant('paging/limit-bounds', 'limit-maximum-higher', place, { edits: replaceKeyword('maximum', maximum * 10) }),
          contractMutant('paging/limit-bounds', 'limit-clamped', place, { edits: answerEdits('clamped') }),
          contractMutant('paging/limit-bounds', 'limit-empty', place, { edits: answerEdits('empty') }),
        ]
      : []),
  ];
}

function pageDefault(list: ListOperation, page: string): readonly ContractMutant[] {
  const at = `${parameterPointer(list, page)}/schema/default`;
  if (!hasValueAt(list.document, at)) return [];
  const place = { operation: list.id, words: { parameter: page } };
  return [contractMutant('pages/defaults', 'default-page-other', place, { edits: [{ op: 'replace', at, value: 2 }] })];
}

/** Mutants that show one more level of visibility to everybody. */
function visibilityMutants(contract: Contract, list: ListOperation): readonly ContractMutant[] {
  const { visible, items } = list.collection;
  if (visible === undefined) return [];
  const { field, shown } = visible;
  const schemas = schemasAt(contract.closed, schemaOfSuccess(list.responses) ?? true, `${items}/0${field}`);
  const levels = schemas.flatMap((schema) => gather(contract.closed, schema)['enum'] ?? []).filter((level) => typeof level === 'string');
  return [...new Set(levels)]
    .filter((level) => !shown.includes(level))
    .map((level) =>
      contractMutant(
        'visible/lists',
        'level-shown',
        { operation: list.id, part: level, words: { field: field.slice(1), value: level } },
        {
          edits: [{ op: 'replace', at: `${list.pointer}/x-collection/visible/shown`, value: [...shown, level] }],
        },
      ),
    );
}

/** Mutants of the response to a damaged cursor. */
function cursorMutants(contract: Contract): readonly ContractMutant[] {
  const list = listsOf(contract).find(({ collection }) => collection.page.style === 'cursor');
  if (list === undefined || !isAnswerStated(contract, list, '', 'damaged-cursor')) return [];
  const place = { operation: contract.name, words: { cursor: 'a damaged cursor' } };
  const answerEdits = (value: InvalidAnswer): readonly Edit[] => [{ op: 'replace', at: '/x-invalid/damaged-cursor', value }];
  return [
    contractMutant('paging/damaged-cursor', 'damaged-cursor-restarts', place, { edits: answerEdits('ignored') }),
    contractMutant('paging/damaged-cursor', 'damaged-cursor-empty', place, { edits: answerEdits('empty') }),
  ];
}

/** Filters that hold on the first page only. The query of a later page comes without them, which is not for the contract to say. */
export function filterLostMutant(list: ListOperation, page: CursorPage, name: string): ContractMutant {
  const filter = list.collection.filters.get(name);
  const isVersion = filter !== undefined && filter.operator !== 'matches' && filter.field === list.collection.version;
  const place = { operation: list.id, part: name, words: { parameter: name } };
  const otherFixed = page.fixed.filter((each) => each !== name);
  const edits: readonly Edit[] = [{ op: 'replace', at: `${list.pointer}/x-collection/page/fixed`, value: otherFixed }];
  return isVersion
    ? contractMutant('sync/later-pages', 'checkpoint-lost', place, { edits })
    : contractMutant('paging/filters-kept', 'filter-lost', place, { edits });
}

/** Mutants of numeric identifiers. */
function identifierMutants(contract: Contract, operation: Operation): readonly ContractMutant[] {
  const identifyingParameters = operation.parameters.filter(
    ({ key, kinds }) => operation.resource?.by.has(key) === true && !kinds.includes('string'),
  );
  return identifyingParameters.flatMap(({ name, required, schema }) => {
    const pointer = parameterPointer(operation, name);
    const at = `${pointer}/schema/minimum`;
    const minimum = typeof schema === 'object' && hasValueAt(operation.document, at) ? schema['minimum'] : undefined;
    const place = { operation: operation.id, part: name, words: { parameter: name, value: String(minimum) } };
    // As one of several identifiers, an ignored value leaves none, which is refused all the same.
    const isMalformed = required && isAnswerStated(contract, operation, name, 'malformed');
    const edits: readonly Edit[] = [{ op: 'add', at: `${pointer}/x-invalid`, value: { malformed: 'empty' } }];
    return [
      ...(minimum === undefined
        ? []
        : [contractMutant('details/identifier', 'identifier-unbounded', place, { edits: [{ op: 'remove', at }] })]),
      ...(isMalformed ? [contractMutant('details/identifier', 'identifier-malformed-absent', place, { edits: edits })] : []),
    ];
  });
}

/** Mutants that do not check that exactly one of several identifiers is sent. */
function choiceMutants(operation: Operation): readonly ContractMutant[] {
  return operation.rules.flatMap(({ rule, parameters: [first = '', ...others] }, index) => {
    if (rule !== 'exactly-one-of' || operation.resource === undefined) return [];
    const place = { operation: operation.id, words: { parameter: first, other: others.join(' and ') } };
    const edits: readonly Edit[] = [{ op: 'remove', at: `${operation.pointer}/x-parameter-rules/${index}` }];
    return [contractMutant('details/exactly-one', 'choice-unchecked', place, { edits })];
  });
}

/** The statuses of failures that a mock can be brought to: throttling and the like are chaos. */
export function failureStatuses(contract: Contract): readonly string[] {
  const statuses = contract.operations.flatMap((operation) => [...operation.responses.keys()]);
  const hasKeys = contract.operations.some((operation) => operation.security.length > 0);
  const hiddenReactions = contract.collections.flatMap(({ visible }) => visible?.hidden ?? []);
  const reachableStatuses = [
    '400',
    '404',
    '422',
    ...(hasKeys || hiddenReactions.includes('unauthenticated') ? ['401'] : []),
    ...(hasKeys || hiddenReactions.includes('forbidden') ? ['403'] : []),
  ];
  return [...new Set(statuses)].filter((status) => reachableStatuses.includes(status)).toSorted();
}

function codeMutants(contract: Contract): readonly ContractMutant[] {
  const code = contract.error?.code;
  if (code === undefined) return [];
  return failureStatuses(contract).flatMap((status) => {
    const edits = contract.operations.flatMap((operation) => codeEdits(operation, status, code));
    const place = { operation: contract.name, part: status, words: { failure: `a ${status}` } };
    return edits.length === 0 ? [] : [contractMutant('response/error-code', 'code-other', place, { edits })];
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
