/** Prepared answers in place of `fetch`, for behaviour that spans several exchanges. */

/** An answer: status, body, headers; or the error that a broken connection ends with. */
export type Answer = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>] | TypeError;

/** Replacement for `fetch`. */
export interface AnsweringFetch {
  readonly fetch: typeof globalThis.fetch;
  /** Path and query of each request so far. */
  readonly asked: readonly string[];
}

/** Gives the answers one after the other. A request too many is an error of the test. */
export function answerInTurn(...answers: readonly Answer[]): AnsweringFetch {
  const asked: string[] = [];
  return {
    asked,
    fetch: async (input) => {
      const { pathname, search } = new URL(String(input));
      const answer = answers[asked.length];
      asked.push(`${pathname.replace(/^.*\/v1\//, '')}${decodeURIComponent(search)}`);
      if (answer === undefined) throw new Error(`no answer is prepared for request ${asked.length}, ${asked.at(-1)}`);
      if (answer instanceof TypeError) throw answer;
      const [status, body, headers = {}] = answer;
      return new Response(body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
    },
  };
}
