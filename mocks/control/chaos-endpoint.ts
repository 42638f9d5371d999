import type { Chaos } from '../chaos/active-chaos.ts';
import type { ChaosState } from './control-bodies.ts';
import { ControlError, type Endpoint, toJsonResponse } from './endpoint.ts';
import { flag, readBodyMembers, textsLike } from './read-members.ts';

/** Describes the chaos, as the endpoint and events show it. */
export function showChaos(chaos: Pick<Chaos, 'list'>): ChaosState {
  return { scope: 'this process', rules: chaos.list() };
}

/** Creates the endpoint `/__mock/chaos`, which shows and changes the chaos rules of the mock. */
export function chaosEndpoint(chaos: Chaos): Endpoint {
  return {
    path: 'chaos',
    methods: {
      GET: () => toJsonResponse(showChaos(chaos)),
      POST: ({ body }) => {
        changeChaos(chaos, body);
        return toJsonResponse(showChaos(chaos));
      },
      DELETE: () => {
        chaos.clear();
        return toJsonResponse(showChaos(chaos));
      },
    },
  };
}

const example = '{"add": ["503 10%"]}';
const rules = textsLike('["503 10%"]');

function changeChaos(chaos: Chaos, text: string): void {
  const members = readBodyMembers(text, { set: rules, add: rules, reset: flag }, example);
  if (Object.keys(members).length > 1)
    throw new ControlError(400, `set, add and reset exclude each other; send one of them, such as ${example}.`);
  const { set, add, reset } = members;
  if (set !== undefined) chaos.set(set);
  if (add !== undefined) chaos.add(add);
  if (reset) chaos.reset();
}
