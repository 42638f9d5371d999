/**
 * Answers to the requests of witnesses: sends each one to a mock of the old contract and to a mock of the new one, without sockets. `diff` calls it for the
 * changes that it prints.
 */

import type { OpenedContract } from '../../contracts/diff/compare-contracts.ts';
import type { HttpRequest } from '../../core/http/exchange.ts';
import type { Json } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { valueAt } from '../../core/pointer.ts';
import type { Change, ContractComparison, WitnessAnswer, WitnessExchange } from '../../core/results/contract-change.ts';
import type { ContractMock } from '../../mocks/assembly.ts';

type WitnessRequest = NonNullable<WitnessExchange['request']>;
type Answer = (request: WitnessRequest) => Promise<WitnessAnswer>;

/** Adds the answers of both mocks to each witness that is a request. Files without annotations have no mock here, since their data are examples. */
export async function answerWitnesses(
  comparison: ContractComparison,
  old: OpenedContract,
  next: OpenedContract,
): Promise<ContractComparison> {
  if (old.contract === undefined || next.contract === undefined || !comparison.changes.some(isAnswerable)) return comparison;
  const [before, after] = [await openMock(old.contract), await openMock(next.contract)];
  const changes: Change[] = [];
  for (const change of comparison.changes)
    changes.push(isAnswerable(change) ? await withAnswers(change, before.answer, after.answer) : change);
  const failures = [...before.failures, ...after.failures];
  return { ...comparison, changes, notes: [...comparison.notes, ...failures.map((text) => `A mock failed to answer a witness: ${text}`)] };
}

/** True for a change with a request that only one contract allows. Responses and records of a witness are no data of a mock. */
function isAnswerable({ witness }: Change): boolean {
  return witness?.exchange.request !== undefined && witness.exchange.response === undefined && witness.refusedBy !== undefined;
}

async function withAnswers(change: Change, before: Answer, after: Answer): Promise<Change> {
  const request = change.witness?.exchange.request;
  if (change.witness === undefined || request === undefined) return change;
  return { ...change, witness: { ...change.witness, answers: { old: await before(request), new: await after(request) } } };
}

/** A mock as a function, with the errors that it reported. */
interface OpenedMock {
  readonly answer: Answer;
  readonly failures: readonly string[];
}

async function openMock(contract: Contract): Promise<OpenedMock> {
  // The mock loads Prism and its data, which a comparison without witnesses does not need.
  const { mockContract } = await import('../../mocks/assembly.ts');
  const failures: string[] = [];
  const mock = await mockContract(contract, (error) => failures.push(error instanceof Error ? error.message : String(error)));
  return { failures, answer: async (request) => readAnswer(contract, await mock.respond(withKey(request, mock))) };
}

/** The request with the key of the mock in place of its variables. */
function withKey({ method, target, headers, body, variables = [] }: WitnessRequest, { key }: ContractMock): HttpRequest {
  const fill = (text: string, value: string): string =>
    variables.reduce((filled, name) => filled.replaceAll(`$${name}`, () => value), text);
  const fields = Object.entries(headers).map(([name, value]) => {
    // A key is the password of Basic (RFC 7617 §2).
    const isBasic = value.startsWith('Basic $');
    return [name.toLowerCase(), fill(value, isBasic ? Buffer.from(`:${key}`).toString('base64') : key)] as const;
  });
  return {
    ...{ method, target: fill(target, encodeURIComponent(key)), headers: Object.fromEntries(fields) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

function readAnswer({ error }: Contract, { status, body }: Awaited<ReturnType<ContractMock['respond']>>): WitnessAnswer {
  const code = status < 400 || error === undefined ? undefined : valueAt(parse(body), error.code);
  return { status, code: typeof code === 'string' ? code : undefined };
}

/** The body as JSON; `null` for another body. */
function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
