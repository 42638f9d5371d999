/**
 * Mutants of parameters that identify a record: an invalid identifier causes an error or finds a record. `find-mutants.ts` lists them for each contract, when
 * mutants are listed or a mock with mutants starts or reloads. `serve-mutants.ts` applies the chosen ones at each start and reload. Query parameters of lists
 * are in `list-parameter-mutants.ts`.
 */

import { type HttpResponse, splitTarget } from '../../core/http/exchange.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Parameter } from '../../core/parameters/parse-and-print-parameter.ts';
import { valueAt } from '../../core/pointer.ts';
import { recordsOfTenants, type ServedApi } from '../handler/served-api.ts';
import { errorResponse, identifierOf, withIdentifier, withoutQuery } from './change-exchange.ts';
import { createOperationMutant, type ServedMutant } from './mock-mutant.ts';
import { listFor, type ReadOperation, recordReadsOf } from './select-operations.ts';

/** Lists the mutants of all parameters that identify a record. */
export function identifierParameterMutants(contract: Contract): readonly ServedMutant[] {
  return recordReadsOf(contract).flatMap((operation) => [
    ...identifyingParameters(operation).flatMap((parameter) =>
      parameter.kinds.includes('string') ? textMutants(contract, operation, parameter) : numberMutants(operation, parameter),
    ),
    ...choiceMutants(operation),
  ]);
}

function identifyingParameters(operation: ReadOperation): readonly Parameter[] {
  return operation.parameters.filter((parameter) => operation.resource.by.has(parameter.key));
}

/** Creates a mutant that responds differently to some identifiers. */
function identifierMutant(operation: ReadOperation, { name }: Parameter, kind: MutantKind, respond: RespondToIdentifier): ServedMutant {
  const place = { operation: operation.id, part: name, words: { parameter: name, text: `a quote in ${name}` } };
  return createOperationMutant(kind, place, (api) => async (request, next) => {
    const text = identifierOf(api, request, name);
    const readOther = (value: string): Promise<HttpResponse> => next(withIdentifier(api, request, name, value));
    const fail = (status: number, message: string): HttpResponse => errorResponse(api, request, status, message);
    const changedResponse = text === undefined ? undefined : respond(text, { api, readOther, fail, target: request.target });
    return changedResponse ?? next(request);
  });
}

/** Responds to a request by its identifier; `undefined` leaves the response unchanged. */
type RespondToIdentifier = (text: string, tools: IdentifierTools) => Promise<HttpResponse> | HttpResponse | undefined;

interface IdentifierTools {
  readonly api: ServedApi;
  readonly readOther: (value: string) => Promise<HttpResponse>;
  readonly fail: (status: number, message: string) => HttpResponse;
  readonly target: string;
}

function numberMutants(operation: ReadOperation, parameter: Parameter): readonly ServedMutant[] {
  return [
    identifierMutant(operation, parameter, 'identifier-huge-error', (text, { fail }) =>
      /^\d{12,}$/.test(text) ? fail(500, 'Numeric value out of range.') : undefined,
    ),
    identifierMutant(operation, parameter, 'identifier-trailing-text', (text, { readOther }) => {
      const digits = /^(\d+)\D/.exec(text)?.[1];
      return digits === undefined ? undefined : readOther(digits);
    }),
    identifierMutant(operation, parameter, 'identifier-sign-dropped', (text, { readOther }) =>
      /^-\d+$/.test(text) ? readOther(text.slice(1)) : undefined,
    ),
  ];
}

function textMutants(contract: Contract, operation: ReadOperation, parameter: Parameter): readonly ServedMutant[] {
  const { name } = parameter;
  const identifiers = (api: ServedApi): readonly string[] => valuesOf(api, contract, operation, name);
  return [
    identifierMutant(operation, parameter, 'identifier-still-encoded', (_, { fail, target }) =>
      undecodedText(target, operation, name).includes('%') ? fail(404, 'No record matches this request.') : undefined,
    ),
    identifierMutant(operation, parameter, 'identifier-hostile-error', (text, { fail }) =>
      /['"]/.test(text) ? fail(500, 'You have an error in your SQL syntax.') : undefined,
    ),
    identifierMutant(operation, parameter, 'identifier-hostile-match', (text, { api, readOther }) => {
      const [value] = identifiers(api);
      return /['"]/.test(text) && value !== undefined ? readOther(value) : undefined;
    }),
    identifierMutant(operation, parameter, 'identifier-beginning', (text, { api, readOther }) => {
      const allIdentifiers = identifiers(api);
      const longerIdentifier =
        allIdentifiers.includes(text) || text === '' ? undefined : allIdentifiers.find((value) => value.startsWith(text));
      return longerIdentifier === undefined ? undefined : readOther(longerIdentifier);
    }),
    identifierMutant(operation, parameter, 'identifier-continued', (text, { api, readOther }) => {
      const allIdentifiers = identifiers(api);
      const shorterIdentifier = allIdentifiers.includes(text) ? undefined : allIdentifiers.find((value) => text.startsWith(value));
      return shorterIdentifier === undefined ? undefined : readOther(shorterIdentifier);
    }),
  ];
}

/** Lists the identifiers of all visible records, those of the first tenant first. */
function valuesOf(api: ServedApi, contract: Contract, operation: ReadOperation, parameter: string): readonly string[] {
  const list = listFor(contract, operation);
  const field = operation.resource.by.get(parameter) ?? '';
  const records = list === undefined ? [] : recordsOfTenants(api, list.collection.name);
  return records.filter((record) => list?.collection.query.isVisible(record) ?? true).map((record) => String(valueAt(record, field)));
}

/** Returns the undecoded text of a parameter. */
function undecodedText(target: string, operation: ReadOperation, name: string): string {
  const { path, query } = splitTarget(target);
  const index = operation.path.split('/').indexOf(`{${name}}`);
  if (index >= 0) return path.split('/')[index] ?? '';
  return query.split('&').find((pair) => pair.startsWith(`${name}=`)) ?? '';
}

/** Mutants that accept several parameters of which only one may be given. */
function choiceMutants(operation: ReadOperation): readonly ServedMutant[] {
  return operation.rules.flatMap(({ rule, parameters }) => {
    if (rule !== 'exactly-one-of') return [];
    const [first = '', ...others] = parameters;
    const place = { operation: operation.id, words: { parameter: first, other: others.join(' and ') } };
    return [
      createOperationMutant('choice-first-wins', place, (api) => (request, next) => {
        const sentParameters = parameters.filter((name) => identifierOf(api, request, name) !== undefined);
        return next(sentParameters.slice(1).reduce(withoutQuery, request));
      }),
    ];
  });
}
