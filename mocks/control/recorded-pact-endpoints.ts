import type { PactQuery, PactRecording, RecordedPact } from '../pact/pact-recorder.ts';
import type { LeftOutState } from './control-bodies.ts';
import { type ControlCall, ControlError, type Endpoint, toJsonResponse } from './endpoint.ts';
import { readQueryMembers, textLike } from './read-members.ts';

/** Creates the endpoints: `/__mock/pact` shows the pact of a client's requests, `/__mock/pact/left-out` the requests that are not in it. */
export function recordedPactEndpoints(recording: PactRecording): readonly Endpoint[] {
  const read = ({ query }: ControlCall): RecordedPact => recording.pact(readQuery(query));
  return [
    // The body is the pact without an envelope, so that it can be saved as a file.
    { path: 'pact', methods: { GET: (call) => toJsonResponse(read(call).pact) } },
    {
      path: 'pact/left-out',
      methods: {
        GET: (call) => {
          const { leftOut, interactions, provider } = read(call);
          return toJsonResponse({ scope: 'this process', provider, interactions, leftOut } satisfies LeftOutState);
        },
      },
    },
  ];
}

function readQuery(query: URLSearchParams): PactQuery {
  const name = textLike('NAME');
  const { consumer, provider } = readQueryMembers(query, { consumer: name, provider: name }, 'A pact');
  if (consumer === undefined)
    throw new ControlError(400, 'The consumer is missing; name the program that calls the mock, as in ?consumer=NAME.');
  return { consumer, provider };
}
