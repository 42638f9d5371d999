/** Mutants of the parameters that name a record: what is taken for an identifier that is none, or for another record's. */

import { type HttpResponse, splitTarget } from '../../core/http/exchange.ts';
import type { MutantKindOf, MutatedRule } from '../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Parameter } from '../../core/parameters/parameter.ts';
import { valueAt } from '../../core/pointer.ts';
import { datasetNow, type ServedApi } from '../handler/served-api.ts';
import { at, failure, identifierOf, withIdentifier, withoutQuery } from './change-exchange.ts';
import { listFor, mutant, type ReadOperation, recordReadsOf, type ServedMutant } from './mock-mutant.ts';

/** Mutants of each parameter that names a record. */
export function identifierMutants(contract: Contract): readonly ServedMutant[] {
  return recordReadsOf(contract).flatMap((operation) => [
    ...namingParameters(operation).flatMap((parameter) =>
      parameter.kinds.includes('string') ? textMutants(contract, operation, parameter) : numberMutants(operation, parameter),
    ),
    ...choiceMutants(operation),
  ]);
}

function namingParameters(operation: ReadOperation): readonly Parameter[] {
  return operation.parameters.filter((parameter) => operation.resource.by.has(parameter.key));
}

/** A mutant of the text by which a record is named. */
function naming<Rule extends MutatedRule>(
  operation: ReadOperation,
  { name }: Parameter,
  rule: Rule,
  kind: MutantKindOf<Rule>,
  answer: Naming,
): ServedMutant {
  const place = { operation: operation.id, part: name, words: { parameter: name, text: `a quote in ${name}` } };
  return mutant(rule, kind, place, {
    around: (api) =>
      at(api, operation.id, async (request, next) => {
        const text = identifierOf(api, request, name);
        const rename = (value: string): Promise<HttpResponse> => next(withIdentifier(api, request, name, value));
        const fail = (status: number, message: string): HttpResponse => failure(api, request, status, message);
        const changed = text === undefined ? undefined : answer(text, { api, rename, fail, target: request.target });
        return changed ?? next(request);
      }),
  });
}

/** Answers a request that names a record by a text, or leaves it alone. */
type Naming = (text: string, tools: Tools) => Promise<HttpResponse> | HttpResponse | undefined;

interface Tools {
  readonly api: ServedApi;
  readonly rename: (value: string) => Promise<HttpResponse>;
  readonly fail: (status: number, message: string) => HttpResponse;
  readonly target: string;
}

function numberMutants(operation: ReadOperation, parameter: Parameter): readonly ServedMutant[] {
  return [
    naming(operation, parameter, 'details/identifier', 'identifier-huge-error', (text, { fail }) =>
      /^\d{12,}$/.test(text) ? fail(500, 'Numeric value out of range.') : undefined,
    ),
    naming(operation, parameter, 'details/identifier', 'identifier-trailing-text', (text, { rename }) => {
      const digits = /^(\d+)\D/.exec(text)?.[1];
      return digits === undefined ? undefined : rename(digits);
    }),
    naming(operation, parameter, 'details/identifier', 'identifier-sign-dropped', (text, { rename }) =>
      /^-\d+$/.test(text) ? rename(text.slice(1)) : undefined,
    ),
  ];
}

function textMutants(contract: Contract, operation: ReadOperation, parameter: Parameter): readonly ServedMutant[] {
  const { name } = parameter;
  const values = (api: ServedApi): readonly string[] => valuesOf(api, contract, operation, name);
  return [
    naming(operation, parameter, 'details/encoded', 'identifier-still-encoded', (_, { fail, target }) =>
      rawOf(target, operation, name).includes('%') ? fail(404, 'No record matches this request.') : undefined,
    ),
    naming(operation, parameter, 'details/hostile', 'identifier-hostile-error', (text, { fail }) =>
      /['"]/.test(text) ? fail(500, 'You have an error in your SQL syntax.') : undefined,
    ),
    naming(operation, parameter, 'details/hostile', 'identifier-hostile-match', (text, { api, rename }) => {
      const [value] = values(api);
      return /['"]/.test(text) && value !== undefined ? rename(value) : undefined;
    }),
    naming(operation, parameter, 'details/whole-key', 'identifier-beginning', (text, { api, rename }) => {
      const all = values(api);
      const longer = all.includes(text) || text === '' ? undefined : all.find((value) => value.startsWith(text));
      return longer === undefined ? undefined : rename(longer);
    }),
    naming(operation, parameter, 'details/whole-key', 'identifier-continued', (text, { api, rename }) => {
      const all = values(api);
      const shorter = all.includes(text) ? undefined : all.find((value) => text.startsWith(value));
      return shorter === undefined ? undefined : rename(shorter);
    }),
  ];
}

/** The identifiers of all records, of the first tenant first. */
function valuesOf(api: ServedApi, contract: Contract, operation: ReadOperation, parameter: string): readonly string[] {
  const list = listFor(contract, operation);
  const field = operation.resource.by.get(parameter) ?? '';
  const records = list === undefined ? [] : api.dataset.tenants.flatMap((tenant) => datasetNow(api).records(tenant, list.collection.name));
  return records.filter((record) => list?.collection.query.isVisible(record) ?? true).map((record) => String(valueAt(record, field)));
}

/** The text of a parameter as it stands in the request target. */
function rawOf(target: string, operation: ReadOperation, name: string): string {
  const { path, query } = splitTarget(target);
  const index = operation.path.split('/').indexOf(`{${name}}`);
  if (index >= 0) return path.split('/')[index] ?? '';
  return query.split('&').find((pair) => pair.startsWith(`${name}=`)) ?? '';
}

/** Parameters of which exactly one is to be given. */
function choiceMutants(operation: ReadOperation): readonly ServedMutant[] {
  return operation.rules.flatMap(({ rule, parameters }) => {
    if (rule !== 'exactly-one-of') return [];
    const [first = '', ...others] = parameters;
    const place = { operation: operation.id, words: { parameter: first, other: others.join(' and ') } };
    return [
      mutant('details/exactly-one', 'choice-first-wins', place, {
        around: (api) =>
          at(api, operation.id, (request, next) => {
            const given = parameters.filter((name) => identifierOf(api, request, name) !== undefined);
            return next(given.slice(1).reduce(withoutQuery, request));
          }),
      }),
    ];
  });
}
