/** Knows in which order a request's errors are found, and what a path of the business API must offer for that. */

import { type Identity, sentKey } from './keys.ts';
import { type Asked, Failure, header, type Reply } from './reply.ts';
import type { Setup } from './setup.ts';
import type { Single } from './single.ts';
import type { Trouble } from './trouble.ts';

/** One path: the scope that it needs, and how it reads and answers. */
export interface Route {
  readonly scope: string;
  /** Reads the query and gives what answers it, or refuses it. */
  readonly read: (asked: Asked) => (identity: Identity) => Reply;
  readonly single?: Single;
  /** Whether the request holds a tag of this path, whoever asks. */
  readonly holdsTag: (asked: Asked) => boolean;
}

type Step = 'trouble' | 'key' | 'scope' | 'query';

const usualTurn: readonly Step[] = ['key', 'trouble', 'scope', 'query'];

const turns: Readonly<Record<string, readonly Step[]>> = {
  'trouble-first': ['trouble', 'key', 'scope', 'query'],
  'query-first': ['query', 'key', 'trouble', 'scope'],
  'query-before-scope': ['key', 'trouble', 'query', 'scope'],
};

/** What has been found out about a request so far. */
interface Known {
  readonly identity?: Identity;
  readonly answer?: (identity: Identity) => Reply;
}

/** What a path needs from its server. */
export interface Gate {
  readonly setup: Setup;
  readonly identify: (asked: Asked) => Identity;
  readonly trouble: Trouble;
}

/** Answers a request, or throws the first error that its server's order of precedence meets. */
export function answerInTurn(gate: Gate, asked: Asked, route: Route): Reply {
  const { setup } = gate;
  const early = tooEarly(gate, asked, route);
  if (early !== undefined) return early;
  let known: Known = {};
  for (const step of turns[setup.choice('precedence')] ?? usualTurn) known = { ...known, ...taken(gate, step, asked, route, known) };
  const { identity, answer } = known;
  if (identity === undefined || answer === undefined) throw new Error('Each order of precedence must hold the key and the query');
  return answer(identity);
}

/** What deviating servers answer before they have looked at everything. */
function tooEarly(gate: Gate, asked: Asked, route: Route): Reply | undefined {
  const { setup } = gate;
  if (setup.faulty('unchanged-before-key') && holds(route, asked)) return { status: 304 };
  if (setup.faulty('unchanged-before-scope') && holds(route, asked)) {
    gate.identify(asked);
    return { status: 304 };
  }
  return undefined;
}

function taken(gate: Gate, step: Step, asked: Asked, route: Route, known: Known): Known {
  if (step === 'key') return { identity: gate.identify(asked) };
  if (step === 'query') return { answer: readQuery(gate.setup, asked, route, known.identity) };
  if (step === 'trouble') gate.trouble(asked, sentKey(gate.setup, asked));
  else if (known.identity !== undefined) checkScope(gate.setup, known.identity, route.scope);
  return {};
}

function holds(route: Route, asked: Asked): boolean {
  try {
    return header(asked, 'if-none-match') !== undefined && route.holdsTag(asked);
  } catch (error) {
    // A query that is refused holds no tag; its refusal comes in its own turn.
    if (error instanceof Failure) return false;
    throw error;
  }
}

function checkScope(setup: Setup, identity: Identity, scope: string): void {
  if (identity.scopes.includes(scope) || (scope === 'reservations.read' && setup.faulty('scope-unchecked'))) return;
  if (setup.faulty('scope-unauthorized')) throw new Failure(401, 'UNAUTHORIZED', 'The API key is missing, invalid or expired');
  throw new Failure(403, 'FORBIDDEN', 'The API key does not open this part of the service');
}

function readQuery(setup: Setup, asked: Asked, route: Route, identity: Identity | undefined): (identity: Identity) => Reply {
  try {
    return route.read(asked);
  } catch (error) {
    const { single } = route;
    if (!(error instanceof Failure) || single === undefined) throw error;
    if (setup.faulty('invalid-unchanged') && header(asked, 'if-none-match') !== undefined) return () => ({ status: 304 });
    // Some servers look the record up before they notice that the rest of the query is wrong.
    const looksFirst =
      setup.choice('precedence') === 'absent-first' && identity !== undefined && single.clearlyAbsent(identity.tenant, asked);
    if (!looksFirst) throw error;
    return (known) => single.answer(known.tenant, { id: Number(asked.query.get('id')) }, asked);
  }
}
