/** APIs with and without faults, without sockets and without Prism, asked the same questions. */

import { type Contract, resolveContract } from '../../../../core/contract.ts';
import type { HttpRequest } from '../../../../core/exchange.ts';
import { contractFile } from '../../../../core/shipped.ts';
import { asResponse } from '../../../../mocks/answer.ts';
import { stillClock } from '../../../../mocks/clock.ts';
import { createCursorCodec } from '../../../../mocks/cursor.ts';
import { applyFaults } from '../../../../mocks/faults/apply.ts';
import { listFaults } from '../../../../mocks/faults/catalogue.ts';
import type { Fault } from '../../../../mocks/faults/fault.ts';
import { createKeys } from '../../../../mocks/keys.ts';
import { createMock } from '../../../../mocks/mock.ts';
import type { ServedApi } from '../../../../mocks/served-api.ts';
import { worldSources } from '../../../../mocks/world/catalogue.ts';
import { ownInstant } from '../../../../mocks/world/era.ts';
import type { World } from '../../../../mocks/world.ts';
import { openContract } from '../../../helpers/judge.ts';
import { withoutPrism } from '../../../helpers/without-prism.ts';

/** An answer, as far as faults can show in it. */
export interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Asks a service. Header names are in lower case. */
export type Ask = (target: string, headers?: Readonly<Record<string, string>>) => Promise<Seen>;

/** One contract with its world, and services that have its faults. */
export interface Stage {
  readonly contract: Contract;
  readonly world: World;
  readonly faults: readonly Fault[];
  readonly key: (role: string) => string;
  /** A service with these faults; without any, the untouched one. */
  readonly serve: (faults: readonly Fault[]) => Ask;
}

/** Prepares a contract of the package. */
export async function createStage(name: string): Promise<Stage> {
  const written = await openContract(contractFile(name));
  const contract = resolveContract(written);
  const source = worldSources.find((each) => each.serves(written));
  if (source === undefined) throw new Error(`no world serves ${name}`);
  const world = source.create(written, { seed: 1 });
  const keys = createKeys(contract, world, 1);
  const serve = (faults: readonly Fault[]): Ask => {
    let named = 0;
    const nextRequestId = (): string => {
      named += 1;
      return `request-${named}`;
    };
    const api: ServedApi = {
      contract,
      world,
      clock: stillClock(ownInstant),
      keys,
      cursors: createCursorCodec(1, contract.title),
      nextRequestId,
    };
    const { api: served, around } = applyFaults(api, faults);
    const mock = createMock([{ api: served, ...withoutPrism, ...(around === undefined ? {} : { around }) }], () => undefined);
    return async (target, headers = {}) => {
      const request: HttpRequest = { method: 'GET', target, headers };
      const { status, headers: fields, body } = asResponse(await mock.respond(request));
      return { status, headers: fields, body: body.replaceAll(/request-\d+/g, 'request-N') };
    };
  };
  return { contract, world: world.at(ownInstant), faults: listFaults(contract), key: (role) => keys.byRole.get(role) ?? '', serve };
}
