/** Faults of the parameters that name a record: what is taken for an identifier that is none, or for another record's. */

import type { Contract } from '../../core/contract.ts';
import type { Edit } from '../../core/edit.ts';
import type { HttpResponse } from '../../core/exchange.ts';
import { splitTarget } from '../../core/exchange.ts';
import type { Parameter } from '../../core/parameter.ts';
import { valueAt } from '../../core/pointer.ts';
import type { Middleware } from '../middleware.ts';
import { type ServedApi, worldNow } from '../served-api.ts';
import { type FaultDraft, listFor, type ReadOperation, recordReadsOf } from './fault.ts';
import { hasPlace, isStated, parameterPointer } from './place.ts';
import { at, failure, identifierOf, withIdentifier, withoutQuery } from './request-edit.ts';

/** Faults of each parameter that names a record. */
export function identifierFaults(contract: Contract): readonly FaultDraft[] {
  return recordReadsOf(contract).flatMap((operation) => [
    ...namingParameters(operation).flatMap((parameter) =>
      parameter.kinds.includes('string') ? textFaults(contract, operation, parameter) : numberFaults(contract, operation, parameter),
    ),
    ...choiceFaults(operation),
  ]);
}

function namingParameters(operation: ReadOperation): readonly Parameter[] {
  return operation.parameters.filter((parameter) => operation.resource.by.has(parameter.key));
}

/** A fault of the text by which a record is named. */
function naming(operation: ReadOperation, parameter: Parameter, kind: string, law: string, title: string, answer: Naming): FaultDraft {
  return {
    kind,
    place: `${operation.id}.${parameter.name}`,
    law,
    title,
    around: (api) =>
      at(api, operation.id, async (request, next) => {
        const text = identifierOf(api, request, parameter.name);
        const rename = (value: string): Promise<HttpResponse> => next(withIdentifier(api, request, parameter.name, value));
        const changed =
          text === undefined
            ? undefined
            : answer(text, { api, rename, fail: (status, message) => failure(api, request, status, message), target: request.target });
        return changed ?? next(request);
      }),
  };
}

/** Answers a request that names a record by a text, or leaves it alone. */
type Naming = (text: string, tools: Tools) => Promise<HttpResponse> | HttpResponse | undefined;

interface Tools {
  readonly api: ServedApi;
  readonly rename: (value: string) => Promise<HttpResponse>;
  readonly fail: (status: number, message: string) => HttpResponse;
  readonly target: string;
}

function numberFaults(contract: Contract, operation: ReadOperation, parameter: Parameter): readonly FaultDraft[] {
  const { name } = parameter;
  const law = 'details/identifier';
  const answer: readonly Edit[] = [{ op: 'add', at: `${parameterPointer(operation, name)}/x-invalid`, value: { malformed: 'empty' } }];
  const pointer = `${parameterPointer(operation, name)}/schema/minimum`;
  const minimum = typeof parameter.schema === 'object' && hasPlace(operation.document, pointer) ? parameter.schema['minimum'] : undefined;
  const place = `${operation.id}.${name}`;
  return [
    ...(minimum === undefined
      ? []
      : [
          {
            kind: 'identifier-unbounded',
            place,
            law,
            title: `A value of ${name} below ${String(minimum)} is 404 instead of refused.`,
            edits: [{ op: 'remove', at: pointer }],
          } satisfies FaultDraft,
        ]),
    // Where it is one of several ways to name a record, an unread value leaves none, and that is refused all the same.
    ...(parameter.required && isStated(contract, operation, name, 'malformed')
      ? [
          {
            kind: 'identifier-malformed-absent',
            place,
            law,
            title: `A value of ${name} that is no number is 404 instead of refused.`,
            edits: answer,
          } satisfies FaultDraft,
        ]
      : []),
    naming(
      operation,
      parameter,
      'identifier-huge-error',
      law,
      `A value of ${name} of many digits leads to a server error.`,
      (text, { fail }) => (/^\d{12,}$/.test(text) ? fail(500, 'Numeric value out of range.') : undefined),
    ),
    naming(
      operation,
      parameter,
      'identifier-trailing-text',
      law,
      `Whatever follows the digits of ${name} is overlooked.`,
      (text, { rename }) => {
        const digits = /^(\d+)\D/.exec(text)?.[1];
        return digits === undefined ? undefined : rename(digits);
      },
    ),
    naming(operation, parameter, 'identifier-sign-dropped', law, `The sign before ${name} is overlooked.`, (text, { rename }) =>
      /^-\d+$/.test(text) ? rename(text.slice(1)) : undefined,
    ),
  ];
}

function textFaults(contract: Contract, operation: ReadOperation, parameter: Parameter): readonly FaultDraft[] {
  const { name } = parameter;
  const values = (api: ServedApi): readonly string[] => valuesOf(api, contract, operation, name);
  const first: Naming = (text, { api, rename }) => {
    const [value] = values(api);
    return /['"]/.test(text) && value !== undefined ? rename(value) : undefined;
  };
  return [
    naming(
      operation,
      parameter,
      'identifier-still-encoded',
      'details/encoded',
      `A value of ${name} with percent-encoding is not found.`,
      (_text, { fail, target }) =>
        rawOf(target, operation, name).includes('%') ? fail(404, 'There is nothing here by that name.') : undefined,
    ),
    naming(
      operation,
      parameter,
      'identifier-hostile-error',
      'details/hostile',
      `A quote in ${name} leads to a server error.`,
      (text, { fail }) => (/['"]/.test(text) ? fail(500, 'You have an error in your SQL syntax.') : undefined),
    ),
    naming(
      operation,
      parameter,
      'identifier-hostile-match',
      'details/hostile',
      `A quote in ${name} finds a record that nobody named.`,
      first,
    ),
    naming(
      operation,
      parameter,
      'identifier-beginning',
      'details/whole-key',
      `The beginning of a ${name} finds its record.`,
      (text, { api, rename }) => {
        const all = values(api);
        const longer = all.includes(text) || text === '' ? undefined : all.find((value) => value.startsWith(text));
        return longer === undefined ? undefined : rename(longer);
      },
    ),
    naming(
      operation,
      parameter,
      'identifier-continued',
      'details/whole-key',
      `A value of ${name} with something after it finds its record.`,
      (text, { api, rename }) => {
        const all = values(api);
        const shorter = all.includes(text) ? undefined : all.find((value) => text.startsWith(value));
        return shorter === undefined ? undefined : rename(shorter);
      },
    ),
  ];
}

/** The identifiers of all records, of the first tenant first. */
function valuesOf(api: ServedApi, contract: Contract, operation: ReadOperation, parameter: string): readonly string[] {
  const list = listFor(contract, operation);
  const field = operation.resource.by.get(parameter) ?? '';
  const records = list === undefined ? [] : api.world.tenants.flatMap((tenant) => worldNow(api).records(tenant, list.collection.name));
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
function choiceFaults(operation: ReadOperation): readonly FaultDraft[] {
  return operation.rules.flatMap(({ rule, parameters }, index): readonly FaultDraft[] => {
    if (rule !== 'exactly-one-of') return [];
    const common = { place: operation.id, law: 'details/exactly-one' };
    const edits: readonly Edit[] = [{ op: 'remove', at: `${operation.pointer}/x-parameter-rules/${index}` }];
    const dropLater = (api: ServedApi): Middleware =>
      at(api, operation.id, (request, next) => {
        const given = parameters.filter((name) => identifierOf(api, request, name) !== undefined);
        return next(given.slice(1).reduce(withoutQuery, request));
      });
    return [
      { ...common, kind: 'choice-unchecked', title: `${parameters.join(' and ')} may be given together, or not at all.`, edits },
      {
        ...common,
        kind: 'choice-first-wins',
        title: `When ${parameters.join(' and ')} are given together, the first counts.`,
        around: dropLater,
      },
    ];
  });
}
