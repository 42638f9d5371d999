/** Runs of some laws against a mock or the second server, and what became of them. */

import { laws } from '../../../../contracts/laws/catalogue.ts';
import { verify } from '../../../../contracts/verify.ts';
import type { LawResult, RunResult, Verdict } from '../../../../core/verdict.ts';
import { startMock } from '../../../../mocks/start.ts';
import { startSecondServer } from '../../../second/server.ts';
import { patientClock } from '../second.ts';

/** A running server to be judged. */
interface Judged extends AsyncDisposable {
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** What to judge, and how. */
export interface Judging {
  readonly api?: 'business' | 'wiki';
  /** Patterns of laws; those that no law has yet are left out. */
  readonly only: readonly string[];
  readonly quick?: boolean;
  /** Roles whose keys the run gets; all unless said otherwise. */
  readonly roles?: readonly string[];
}

/** Judges the mock with these faults. */
export async function judgeMock(judging: Judging, faults: readonly string[] = []): Promise<RunResult> {
  await using mock = await startMock({ contracts: [judging.api ?? 'business'], faults });
  return await judge(mock, judging);
}

/** Judges the second server. */
export async function judgeSecond(
  judging: Judging,
  options: Omit<Parameters<typeof startSecondServer>[0], 'api'> = {},
): Promise<RunResult> {
  await using server = await startSecondServer({ api: judging.api ?? 'business', ...options });
  return await judge(server, judging);
}

async function judge({ url, keys }: Judged, { api = 'business', only, quick = false, roles }: Judging): Promise<RunResult> {
  const given = Object.entries(keys).filter(([role]) => roles === undefined || roles.includes(role));
  const named = given.map(([role, value]) => [role, { variable: `KEY_${role.replaceAll(/\W/g, '_').toUpperCase()}`, value }] as const);
  const known = only.filter((pattern) => laws.some(({ id }) => id === pattern || id.startsWith(pattern.replace('*', ''))));
  return await verify({ contract: api, target: url, keys: Object.fromEntries(named), quick, only: known, clock: patientClock() }).result;
}

/** The results of one law, or of a group by `group/*`, with a verdict. */
export function resultsOf(result: RunResult, id: string, verdict?: Verdict): readonly LawResult[] {
  const matches = (law: LawResult): boolean => (id.endsWith('*') ? law.id.startsWith(id.slice(0, -1)) : law.id === id);
  return result.laws.filter((law) => matches(law) && (verdict === undefined || law.verdict === verdict));
}

/** A line for each result that does not hold or leaves a rival open. */
export function doubts(result: RunResult): readonly string[] {
  return result.laws
    .filter((law) => law.verdict !== 'holds' || law.open.length > 0)
    .map((law) => `${law.id} ${law.operation} ${law.verdict}: ${law.message}${law.open.map((rival) => ` [${rival.id}]`).join('')}`);
}
