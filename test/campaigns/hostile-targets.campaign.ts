/**
 * Whatever a server does to `verify`: the run ends in bounded time and memory, its report is valid and keeps secrets, and healthy operations are still
 * judged.
 */

import { spawnSync } from 'node:child_process';
import type { Operation } from '../../core/openapi/operation.ts';
import { routeTo } from '../../core/openapi/route-request.ts';
import { contractFile, listShipped } from '../../core/shipped-files.ts';
import { type RunningMock, startMock } from '../../mocks/start-mock.ts';
import { openContract } from '../helpers/exchange-judge.ts';
import { encodings, type HostileAnswer, hostileAnswers } from '../helpers/hostile/hostile-answers.ts';
import { startHostile, type Verified, verifyHostile } from '../helpers/hostile/hostile-target.ts';
import { complaintsAbout } from '../helpers/reports/report-schema.ts';
import { type Campaign, defineCampaign, type Item, type Judged, root } from './campaign.ts';

/** Limits of a run. */
const bounds = { seconds: 60, rssMb: 1500, endsInSeconds: 2 } as const;

interface HostileTarget extends Item {
  readonly kind: string;
  readonly contract: string;
  readonly deed: HostileAnswer;
  /** The hostile operation; all operations if none is named. */
  readonly operation: string | undefined;
  /** True when the program gets a signal in the middle. */
  readonly isInterrupted: boolean;
}

interface Result {
  readonly complaints: readonly string[];
  readonly code: number | null;
  readonly seconds: number;
  readonly rssMb: number;
}

/** Fields of a run that are checked. */
interface Run {
  readonly unavailable?: string;
  readonly checks: readonly { readonly operation: string; readonly verdict: string }[];
}

/** The only run in a report. */
function runIn(report: unknown): Run {
  const { runs } = report as { readonly runs: readonly [Run] };
  return runs[0];
}

/** Lists and single reads are judged in different ways, so one of each is enough. */
const attacked: Readonly<Record<string, readonly string[]>> = { business: ['listOrders', 'getMenu'], wiki: ['listEntries', 'getEntry'] };

async function listItems(): Promise<readonly HostileTarget[]> {
  const items: HostileTarget[] = [];
  for (const contract of listShipped()) {
    const known = (await openContract(contractFile(contract))).operations.map(({ id }) => id);
    const chosen = (attacked[contract] ?? known.slice(0, 1)).filter((id) => known.includes(id));
    for (const [kind, list] of Object.entries(hostileAnswers))
      for (const deed of list)
        for (const operation of [...chosen, undefined])
          items.push({
            key: `${contract} ${operation ?? 'everything'} ${deed.title}`,
            kind,
            contract,
            deed,
            operation,
            isInterrupted: false,
          });
    for (const deed of hostileAnswers['time'] ?? [])
      items.push({
        key: `${contract}: interrupted while everything ${deed.title}`,
        kind: 'interrupted',
        contract,
        deed,
        operation: undefined,
        isInterrupted: true,
      });
  }
  return items;
}

const mocks = new Map<string, Promise<RunningMock>>();

function mockOf(contract: string): Promise<RunningMock> {
  const mock = mocks.get(contract) ?? startMock({ contracts: [contract] });
  mocks.set(contract, mock);
  return mock;
}

/** Operations by contract for which something holds when the server is not hostile. */
const healthy = new Map<string, Promise<ReadonlySet<string>>>();

async function holdingOf(contract: string, mock: RunningMock): Promise<ReadonlySet<string>> {
  const { report } = await verifyHostile(contract, mock.url, mock.keys['full'] ?? '');
  return new Set(
    runIn(report)
      .checks.filter(({ verdict }) => verdict === 'holds')
      .map(({ operation }) => operation),
  );
}

async function judge({ contract, deed, operation, isInterrupted }: HostileTarget): Promise<Result> {
  const mock = await mockOf(contract);
  const key = mock.keys['full'] ?? '';
  const { operations } = await openContract(contractFile(contract));
  await using server = await startHostile(mock, deed, (path) => operation === undefined || idOf(operations, path) === operation);
  const verified = await verifyHostile(contract, server.url, key, isInterrupted ? server.requested(2) : undefined);
  const { code, seconds, rssMb } = verified;
  const complaints = [...complaintsAboutEnd(verified, isInterrupted), ...complaintsAboutTexts(verified, key)];
  if (operation !== undefined && verified.report !== undefined) {
    const holding = healthy.get(contract) ?? holdingOf(contract, mock);
    healthy.set(contract, holding);
    // The list says which records exist; without it no single record can be requested.
    const name = operations.find(({ id }) => id === operation)?.collection?.name;
    const needed = operations.filter(({ resource }) => name !== undefined && resource?.name === name).map(({ id }) => id);
    const others = [...(await holding)].filter((id) => id !== operation && !needed.includes(id));
    complaints.push(...complaintsAboutHealthy(runIn(verified.report), others, operation, deed.blocks === true));
  }
  return { complaints, code, seconds, rssMb };
}

function idOf(operations: readonly Operation[], path: string): string | undefined {
  const route = routeTo(operations, 'GET', path);
  return route.kind === 'operation' ? route.operation.id : undefined;
}

function complaintsAboutEnd({ code, signal, report, seconds, rssMb, endedIn, error }: Verified, isInterrupted: boolean): readonly string[] {
  const allowed = isInterrupted ? [3, 130] : [0, 1, 3, 4];
  const end = code === null || !allowed.includes(code) ? [`it ends with ${code ?? signal}: ${error.slice(0, 300)}`] : [];
  const schema = report === undefined ? ['there is no report'] : complaintsAbout(report).map((each) => `its report: ${each}`);
  const time = seconds > bounds.seconds ? [`it takes ${Math.round(seconds)} s`] : [];
  const memory = rssMb > bounds.rssMb ? [`it takes ${Math.round(rssMb)} MB`] : [];
  const interrupted = isInterrupted && endedIn > bounds.endsInSeconds ? [`it ends ${endedIn.toFixed(1)} s after the signal`] : [];
  return [...end, ...schema, ...time, ...memory, ...interrupted];
}

function complaintsAboutTexts({ out, error, report }: Verified, key: string): readonly string[] {
  const all = `${out}${error}${JSON.stringify(report)}`;
  const secrets = encodings
    .filter((encode) => key !== '' && all.includes(encode(key)))
    .map((encode) => `the key is in its output as ${encode('key')}`);
  const control = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u.exec(`${out}${error}`);
  const mistakes = /[Ii]nternal error: |\n\s+at (?:\S+ \(|async |file:|node:)|TypeError|RangeError/.exec(all);
  return [
    ...secrets,
    ...(control === null ? [] : [`a control character is on the terminal: ${JSON.stringify(control[0])}`]),
    ...(mistakes === null ? [] : [`it shows a mistake of its own: ${all.slice(Math.max(0, mistakes.index - 200), mistakes.index + 200)}`]),
  ];
}

function complaintsAboutHealthy(
  { checks, unavailable }: Run,
  others: readonly string[],
  attackedId: string,
  blocks: boolean,
): readonly string[] {
  const holds = new Set(checks.filter(({ verdict }) => verdict === 'holds').map(({ operation }) => operation));
  const lost = others.filter((operation) => !holds.has(operation));
  const isNamed = unavailable !== undefined || checks.some(({ operation, verdict }) => operation === attackedId && verdict === 'blocked');
  return [
    ...(lost.length > 0 ? [`nothing holds of ${lost.join(', ')}${unavailable === undefined ? '' : `: ${unavailable}`}`] : []),
    ...(blocks && !isNamed ? [`${attackedId} is not said to be blocked`] : []),
  ];
}

export const campaign: Campaign = defineCampaign<HostileTarget, Result>({
  items: listItems,
  prepare: async () => void spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' }),
  judge,
  complaints: ({ complaints }) => complaints,
  smoke: (items) => items.filter(({ key }) => key === 'wiki everything is no HTTP'),
  renderPage,
});

function renderPage(results: readonly Judged<Result>[], items: readonly HostileTarget[]): string {
  const rowOf = (title: string, isOfRow: (item: HostileTarget) => boolean): string => {
    const own = results.filter((_, index) => isOfRow(items[index] as HostileTarget)).map(({ result }) => result);
    const codes = [0, 1, 3, 4, 130].map((code) => own.filter((each) => each.code === code).length);
    const worst = (pick: (result: Result) => number): number => Math.ceil(Math.max(0, ...own.map(pick)));
    return `| ${[title, own.length, ...codes, worst(({ seconds }) => seconds), worst(({ rssMb }) => rssMb)].join(' | ')} |`;
  };
  return `# Hostile targets

Generated by \`npm run campaign -- hostile-targets\`: servers that do one hostile thing, at one operation or at all of them.
Each is judged by \`touchstone verify\` with a timeout of a second. Each run ends with 0, 1, 3 or 4 (or 130 when it gets a signal) within ${bounds.seconds} s and ${bounds.rssMb} MB. Its report follows the published schema and
holds no key, and the terminal gets no control character. Healthy operations are judged; operations without an answer are reported as blocked.

| Kind | Runs | Exit 0 | Exit 1 | Exit 3 | Exit 4 | Exit 130 | Longest in s | Most memory in MB |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
${[...new Set(items.map(({ kind }) => kind))].map((kind) => rowOf(kind, (item) => item.kind === kind)).join('\n')}
${rowOf('together', () => true)}
`;
}
