/** Runs of the laws about single records, counted pages, visibility and search, with every key and every hidden record that the server knows. */

import { verify } from '../../../../contracts/verify.ts';
import type { LawResult, RunResult } from '../../../../core/verdict.ts';

/** A running server, as far as a run needs it. */
export interface Judged extends AsyncDisposable {
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
}

/** The groups of laws, by API. */
export const groups = { business: ['details/*'], wiki: ['details/*', 'pages/*', 'visible/*', 'search/*'] } as const;

/** Judges a server, and closes it. */
export async function judgeRecords(api: string, server: Judged, only: readonly string[], quick = false): Promise<RunResult> {
  await using running = server;
  const keys = Object.entries(running.keys).map(([role, value]) => {
    return [role, { variable: `KEY_${role.replaceAll(/\W/g, '_').toUpperCase()}`, value }] as const;
  });
  return await verify({ contract: api, target: running.url, keys: Object.fromEntries(keys), hidden: running.hidden, only, quick }).result;
}

/** What a run says of each law that it does not find to hold, or of which it leaves a rival open. */
export function doubtsOf({ laws }: RunResult): readonly string[] {
  return laws.filter((law) => law.verdict !== 'holds' || law.open.length > 0).map(describe);
}

/** The laws that a run finds violated. */
export function violated({ laws }: RunResult): readonly string[] {
  return [...new Set(laws.filter((law) => law.verdict === 'violated').map(({ id }) => id))];
}

function describe({ id, operation, verdict, message, open }: LawResult): string {
  return `${id} at ${operation} ${verdict}: ${message} ${open.map((rival) => rival.id).join(', ')}`;
}
