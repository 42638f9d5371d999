/** Checks every exchange of a mock against its contracts: as written, and as served with the answers to the open questions. */

import { formatLocation } from '../../core/errors.ts';
import { checkResponse } from '../../core/http/check-response.ts';
import { type Exchange, headerOf, splitTarget } from '../../core/http/exchange.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { loadContract } from '../../core/openapi/contract.ts';
import { routeTo } from '../../core/openapi/route-request.ts';

/** Collects the exchanges of a mock, and checks them. */
export interface Judge {
  readonly record: (exchange: Exchange) => void;
  /**
   * Checks the exchanges since the last call.
   * @throws if a contract does not allow an answer.
   */
  readonly verify: () => Promise<void>;
}

/** Number of violations in a message. One wrong schema can cause hundreds. */
const shown = 5;

const opened = new Map<string, Promise<Contract>>();

/** The contract of a file, with open questions. Each file is read once for each process. With a text, the file need not exist. */
export function openContract(file: string, text?: string): Promise<Contract> {
  const contract = opened.get(file) ?? (text === undefined ? loadContract(file) : loadContract(file, async () => text));
  opened.set(file, contract);
  return contract;
}

/** Creates a judge for a mock that serves these contracts. */
export function createJudge(closed: () => readonly Contract[]): Judge {
  const heard: Exchange[] = [];
  return {
    record: (exchange) => void heard.push(exchange),
    verify: async () => {
      const contracts = closed();
      const open = await Promise.all(contracts.map((contract) => openContract(contract.document.file)));
      const complaints = heard
        .splice(0)
        .flatMap((exchange) => [
          ...complain('as written', open, exchange),
          ...(isExample(exchange) ? [] : complain('as served', contracts, exchange)),
        ]);
      if (complaints.length > 0)
        throw new Error(`the mock breaks its own contract, ${complaints.length} times:\n${complaints.slice(0, shown).join('\n')}`);
    },
  };
}

function complain(which: string, contracts: readonly Contract[], exchange: Exchange): readonly string[] {
  if (isDynamic(exchange)) return [];
  const { request, response } = exchange;
  return checkResponse(contractOf(contracts, exchange), exchange).map(
    ({ part, message, place }) =>
      `${which}: ${request.method} ${request.target.slice(0, 200)} → ${response.status}: ${part}: ${message} (${formatLocation(place)})\n  ${response.body.slice(0, 300)}`,
  );
}

/** The contract with an operation at the path; for an unknown path, the first contract with the longest common prefix. */
function contractOf(contracts: readonly Contract[], { request }: Exchange): Contract {
  const found = contracts.find(({ operations }) => routeTo(operations, request.method, request.target).kind !== 'no-path');
  const nearest = contracts.toSorted((left, right) => shared(right, request.target) - shared(left, request.target))[0];
  const contract = found ?? nearest;
  if (contract === undefined) throw new Error('there is no contract to judge by');
  return contract;
}

function shared(contract: Contract, target: string): number {
  const given = splitTarget(target).path.split('/');
  const lengths = contract.operations.map(({ path }) => {
    const parts = path.split('/');
    return given.findIndex((segment, index) => segment !== parts[index]);
  });
  return Math.max(...lengths.map((length) => (length < 0 ? given.length : length)));
}

/** True for bodies that Prism generates from a schema. They may violate the rest of the contract, and Prism reports that itself. */
function isDynamic({ request }: Exchange): boolean {
  return /\bdynamic\b/.test(headerOf(request.headers, 'prefer') ?? '');
}

/** True for a documented example, requested by name or status. It stays as in the file, whatever the profile. */
function isExample({ request }: Exchange): boolean {
  return /\b(code|example)\b/.test(headerOf(request.headers, 'prefer') ?? '');
}
