/** Judges every exchange of a mock by its contracts: as they are written, and closed as they are served. */

import { formatLocation } from '../../core/errors.ts';
import { checkResponse } from '../../core/http/check-response.ts';
import { type Exchange, headerOf, splitTarget } from '../../core/http/exchange.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { loadContract } from '../../core/openapi/contract.ts';
import { routeTo } from '../../core/openapi/operation.ts';

/** Gathers what is wrong with the answers of a mock. */
export interface Judge {
  readonly hear: (exchange: Exchange) => void;
  /**
   * Judges what was heard since the last time.
   * @throws when an answer is not what the contracts allow.
   */
  readonly verify: () => Promise<void>;
}

/** Violations that a message shows; one broken schema easily makes hundreds. */
const shown = 5;

const opened = new Map<string, Promise<Contract>>();

/** The contract of a file, its questions open; each file is read once for all tests of a process. With a text, the file need not exist. */
export function openContract(file: string, text?: string): Promise<Contract> {
  const contract = opened.get(file) ?? (text === undefined ? loadContract(file) : loadContract(file, async () => text));
  opened.set(file, contract);
  return contract;
}

/** A judge for a mock that serves these closed contracts. */
export function createJudge(closed: () => readonly Contract[]): Judge {
  const heard: Exchange[] = [];
  return {
    hear: (exchange) => void heard.push(exchange),
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

/** The contract that knows the path; for an unknown path, the one with the longest beginning in common, the first of equals. */
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

/** Bodies that Prism makes from a schema may break the rest of the contract, and Prism reports that itself. */
function isDynamic({ request }: Exchange): boolean {
  return /\bdynamic\b/.test(headerOf(request.headers, 'prefer') ?? '');
}

/** A documented example that was asked for by name or status: it is what the file shows, whatever a profile answers. */
function isExample({ request }: Exchange): boolean {
  return /\b(code|example)\b/.test(headerOf(request.headers, 'prefer') ?? '');
}
