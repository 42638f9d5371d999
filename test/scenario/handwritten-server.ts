/** A small HTTP server whose answers a test writes by hand, so that each assertion can be shown a right and a wrong one. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseScenario } from './scenario.ts';
import { runScenario, type ScenarioTarget } from './scenario-runner.ts';

/** A request as the server sees it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query, exactly as they came. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Header names and values in turn, as they were spelled. */
  readonly rawHeaders: readonly string[];
}

/** Answer of the server; a body that is neither text nor bytes goes out as JSON. */
export interface WrittenAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

/** Runs a piece of work beside a server that answers with the given function, and closes the server afterwards. */
export const withServer = async <T>(
  respond: (request: SeenRequest) => WrittenAnswer,
  work: (baseUrl: string) => Promise<T>,
): Promise<T> => {
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers, rawHeaders } = incoming;
    const answer = respond({ method, path: url, headers, rawHeaders });
    for (const [name, value] of Object.entries(answer.headers ?? {})) outgoing.setHeader(name, value);
    outgoing.statusCode = answer.status ?? 200;
    outgoing.end(bytesOf(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
};

/** Plays the steps of a scenario, written in YAML, to such a server. */
export const play = (steps: string, respond: (request: SeenRequest) => WrittenAnswer, known: Partial<ScenarioTarget> = {}): Promise<void> =>
  withServer(respond, (baseUrl) =>
    runScenario(parseScenario('play.yaml', `title: A play\nrule: none\nsteps:\n${steps}`), {
      baseUrl,
      keys: {},
      hiddenRecords: [],
      ...known,
    }),
  );

const bytesOf = (body: unknown): string | Buffer => {
  if (body === undefined) return '';
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
};
