/** `/__mock/trouble`: shows the rules by which the mock makes trouble, and changes them. */

import type { JsonObject } from '../../core/json.ts';
import type { Chaos } from '../chaos/chaos.ts';
import { type Endpoint, Refusal, toJson } from './control-endpoint.ts';
import type { TroubleState } from './control-message.ts';
import { flagMember, readMembers, textsMember } from './members.ts';

/** The trouble as the endpoint shows it. */
export function showTrouble(trouble: Pick<Chaos, 'list'>): TroubleState {
  return { scope: 'this process', rules: trouble.list() };
}

/** The endpoint. */
export function troubleEndpoint(trouble: Chaos): Endpoint {
  return {
    path: 'trouble',
    methods: {
      GET: () => toJson(showTrouble(trouble)),
      POST: ({ body }) => {
        changeTrouble(trouble, readMembers(body(), ['set', 'add', 'reset'], example));
        return toJson(showTrouble(trouble));
      },
      DELETE: () => {
        trouble.clear();
        return toJson(showTrouble(trouble));
      },
    },
  };
}

const example = '{"add": ["503 10%"]}';

function changeTrouble(trouble: Chaos, body: JsonObject): void {
  const [set, add, reset] = [textsMember(body, 'set', '["503 10%"]'), textsMember(body, 'add', '["503 10%"]'), flagMember(body, 'reset')];
  if (Object.keys(body).length > 1) throw new Refusal(400, `set, add and reset exclude each other; send one of them, such as ${example}.`);
  if (set !== undefined) trouble.set(set);
  if (add !== undefined) trouble.add(add);
  if (reset) trouble.reset();
}
