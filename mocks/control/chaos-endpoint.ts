/** `/__mock/chaos`: shows the rules by which the mock makes chaos, and changes them. */

import type { JsonObject } from '../../core/json.ts';
import type { Chaos } from '../chaos/chaos.ts';
import { type Endpoint, Refusal, toJson } from './control-endpoint.ts';
import type { ChaosState } from './control-message.ts';
import { flagMember, readMembers, textsMember } from './members.ts';

/** The chaos as the endpoint shows it. */
export function showChaos(chaos: Pick<Chaos, 'list'>): ChaosState {
  return { scope: 'this process', rules: chaos.list() };
}

/** The endpoint. */
export function chaosEndpoint(chaos: Chaos): Endpoint {
  return {
    path: 'chaos',
    methods: {
      GET: () => toJson(showChaos(chaos)),
      POST: ({ body }) => {
        changeChaos(chaos, readMembers(body(), ['set', 'add', 'reset'], example));
        return toJson(showChaos(chaos));
      },
      DELETE: () => {
        chaos.clear();
        return toJson(showChaos(chaos));
      },
    },
  };
}

const example = '{"add": ["503 10%"]}';

function changeChaos(chaos: Chaos, body: JsonObject): void {
  const [set, add, reset] = [textsMember(body, 'set', '["503 10%"]'), textsMember(body, 'add', '["503 10%"]'), flagMember(body, 'reset')];
  if (Object.keys(body).length > 1) throw new Refusal(400, `set, add and reset exclude each other; send one of them, such as ${example}.`);
  if (set !== undefined) chaos.set(set);
  if (add !== undefined) chaos.add(add);
  if (reset) chaos.reset();
}
