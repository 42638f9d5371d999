/** Mutants of parameters that identify a record: an invalid identifier causes an error or finds a record. */

import { splitTarget } from '../../core/http/exchange.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { valueAt } from '../../core/pointer.ts';
import { recordsOfTenants, type ServedApi } from '../handler/served-api.ts';
import { identifierOf, withIdentifier, withoutQuery } from './change-exchange.ts';
import { type Behaviours, type Deviation, type ListedMutant, onRequest, onResponse, operationMutants, respondWith } from './mock-mutant.ts';
import { listFor, type ReadOperation, recordReadsOf } from './select-operations.ts';

/** Lists the mutants of all parameters that identify a record. */
export function identifierParameterMutants(contract: Contract): readonly ListedMutant[] {
  return recordReadsOf(contract).flatMap((operation) => [
    ...operation.parameters
      .filter(({ key }) => operation.resource.by.has(key))
      .flatMap(({ name, kinds }) => {
        const place = { operation: operation.id, part: name, words: { parameter: name, text: `a quote in ${name}` } };
        return operationMutants(place, kinds.includes('string') ? textBehaviours(contract, operation, name) : numberBehaviours(name));
      }),
    ...choiceMutants(operation),
  ]);
}

/** Reads another record where a text stands for it; `undefined` leaves the request as it is. */
function readAs(name: string, otherFor: (text: string, api: ServedApi) => string | undefined): Deviation {
  return onRequest((request, api) => {
    const text = identifierOf(api, request, name);
    const other = text === undefined ? undefined : otherFor(text, api);
    return other === undefined ? request : withIdentifier(api, request, name, other);
  });
}

/** Answers identifiers of a pattern with an error. */
function failWith(name: string, pattern: RegExp, message: string): Deviation {
  return onResponse(({ api, request }) => pattern.test(identifierOf(api, request, name) ?? ''), respondWith(500, message));
}

function numberBehaviours(name: string): Behaviours {
  return {
    'identifier-huge-error': failWith(name, /^\d{12,}$/, 'Numeric value out of range.'),
    'identifier-trailing-text': readAs(name, (text) => /^(\d+)\D/.exec(text)?.[1]),
    'identifier-sign-dropped': readAs(name, (text) => /^-(\d+)$/.exec(text)?.[1]),
  };
}

function textBehaviours(contract: Contract, operation: ReadOperation, name: string): Behaviours {
  const quote = /['"]/;
  const findOther = (isMeant: (text: string, identifier: string) => boolean): Deviation =>
    readAs(name, (text, api) => {
      const identifiers = valuesOf(api, contract, operation, name);
      return identifiers.includes(text) ? undefined : identifiers.find((identifier) => isMeant(text, identifier));
    });
  return {
    'identifier-still-encoded': onResponse(
      ({ request }) => undecodedText(request.target, operation, name).includes('%'),
      respondWith(404, 'No record matches this request.'),
    ),
    'identifier-hostile-error': failWith(name, quote, 'You have an error in your SQL syntax.'),
    'identifier-hostile-match': readAs(name, (text, api) => (quote.test(text) ? valuesOf(api, contract, operation, name)[0] : undefined)),
    'identifier-beginning': findOther((text, identifier) => text !== '' && identifier.startsWith(text)),
    'identifier-continued': findOther((text, identifier) => text.startsWith(identifier)),
  };
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
function choiceMutants(operation: ReadOperation): readonly ListedMutant[] {
  return operation.rules.flatMap(({ rule, parameters }) => {
    if (rule !== 'exactly-one-of') return [];
    const [first = '', ...others] = parameters;
    const place = { operation: operation.id, words: { parameter: first, other: others.join(' and ') } };
    return operationMutants(place, {
      'choice-first-wins': onRequest((request, api) => {
        const sentParameters = parameters.filter((name) => identifierOf(api, request, name) !== undefined);
        return sentParameters.slice(1).reduce(withoutQuery, request);
      }),
    });
  });
}
