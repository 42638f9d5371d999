/** `/__mock/pact`: what a client of the mock relies on, as a pact; and what was left out of it. */

import { nearest } from '../../core/errors.ts';
import type { PactRecording, RecordedPact } from '../pact/recorder.ts';
import { type ControlCall, type Endpoint, Refusal, toJson } from './control-endpoint.ts';
import type { LeftOutState } from './control-message.ts';
import { excerpt } from './members.ts';

const parameters = ['consumer', 'provider'];

/** The endpoints. */
export function pactEndpoints(recording: PactRecording): readonly Endpoint[] {
  const read = ({ query }: ControlCall): RecordedPact => recording.pact(readQuery(query));
  return [
    // The pact itself and nothing around it, so that the answer can be saved as a file.
    { path: 'pact', methods: { GET: (call) => toJson(read(call).pact) } },
    {
      path: 'pact/left-out',
      methods: {
        GET: (call) => {
          const { leftOut, interactions, provider } = read(call);
          return toJson({ scope: 'this process', provider, interactions, leftOut } satisfies LeftOutState);
        },
      },
    },
  ];
}

function readQuery(query: URLSearchParams): { readonly consumer: string; readonly provider: string | undefined } {
  for (const name of query.keys()) {
    const meant = nearest(name, parameters);
    const advice = meant === undefined ? `the parameters are ${parameters.join(' and ')}` : `is ${meant} meant?`;
    if (!parameters.includes(name)) throw new Refusal(400, `A pact has no parameter ${excerpt(name)}; ${advice}`);
    if (query.getAll(name).length > 1) throw new Refusal(400, `${name} was given more than once; give it once.`);
  }
  const consumer = query.get('consumer');
  if (consumer === null) throw new Refusal(400, 'A pact has a consumer; name the program that asks the mock, as ?consumer=NAME.');
  return { consumer, provider: query.get('provider') ?? undefined };
}
