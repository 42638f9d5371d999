/** Campaigns: proofs that take minutes or hours, judged item by item, so that an interrupted run continues where it stopped. */

import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** The folder of the last results. */
const resultsFolder = 'test/campaigns/results';
/** The page with a row for the last result of each campaign. */
export const campaignTable: string = join(root, resultsFolder, 'README.md');

/** One thing that a campaign judges. */
export interface Item {
  /** Names the item in the progress file and in the output, with its seed where it has one: `business filter-ignored:listOrders.status`. */
  readonly key: string;
}

/** The result of one item. */
export interface Judged<Result> {
  readonly key: string;
  readonly result: Result;
}

/** The parts of a campaign. `Result` is kept as JSON. */
export interface Plan<Each extends Item, Result> {
  /** All items, in the same order each time. Where items are drawn, `size` is how many the caller wants. */
  readonly items: (size: number | undefined, options: Options) => readonly Each[] | Promise<readonly Each[]>;
  /** Prepares what all processes share, before the first of them starts. */
  readonly prepare?: (size: number | undefined, options: Options) => Promise<void>;
  /** Judges one item. An error ends the campaign. */
  readonly judge: (item: Each) => Result | Promise<Result>;
  /** Says in one line each what is wrong with a result; empty when it is as it should be. */
  readonly complaints: (result: Result, item: Each) => readonly string[];
  /** The few items that the system tier judges each time, so that the campaign keeps working: at most two seconds. */
  readonly smoke: (items: readonly Each[]) => readonly Each[];
  /** Text of the page in test/campaigns/results/ that shows the last results. */
  readonly renderPage?: (results: readonly Judged<Result>[], items: readonly Each[]) => string;
}

/** The command line of a campaign. */
export interface Options {
  readonly size?: number;
  readonly seed?: number;
  /** Folders or files that the campaign is about, for campaigns that draw from the source code. */
  readonly files?: readonly string[];
}

/** Share of a process: the items whose number is `index` modulo `count`. */
export interface Share {
  readonly index: number;
  readonly count: number;
}

/** A campaign that can be run. */
export interface Campaign {
  /** Prepares what all processes share. */
  readonly prepare: (options: Options) => Promise<void>;
  /** Judges the items of a share that are not judged yet. */
  readonly run: (name: string, share: Share, options: Options) => Promise<void>;
  /** Writes the page and the row in the table of last results, and returns the complaints about all results. Throws when an item was not judged. */
  readonly conclude: (name: string, options: Options) => Promise<readonly string[]>;
  /** Judges the smoke items without keeping anything, and returns the complaints. */
  readonly smoke: () => Promise<readonly string[]>;
}

/** The names of all campaigns: the files NAME.campaign.ts beside this one. */
export const campaignNames: readonly string[] = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.campaign.ts'))
  .map((file) => file.replace('.campaign.ts', ''));

/** Loads a campaign by its name. */
export async function loadCampaign(name: string): Promise<Campaign> {
  if (!campaignNames.includes(name)) throw new Error(`there is no campaign ${name}; the campaigns are ${campaignNames.join(', ')}`);
  // An absolute path: for a relative one, Vite would cache a list of files, which lacks a new campaign.
  return ((await import(/* @vite-ignore */ join(root, `test/campaigns/${name}.campaign.ts`))) as { readonly campaign: Campaign }).campaign;
}

/** Makes a campaign of a plan. */
export function defineCampaign<Each extends Item, Result>(plan: Plan<Each, Result>): Campaign {
  const complain = (item: Each, result: Result): readonly string[] => plan.complaints(result, item).map((line) => `${item.key}: ${line}`);
  const listItems = async (options: Options): Promise<readonly Each[]> => await plan.items(options.size, options);
  return {
    prepare: async (options) => await plan.prepare?.(options.size, options),
    run: async (name, { index, count }, options) => {
      const file = progressFile(name);
      const items = await listItems(options);
      for (const item of items.filter((_, at) => at % count === index)) {
        // Read again for each item: another process may have judged it meanwhile.
        const done = readProgress<Result>(file);
        if (done.has(item.key)) continue;
        const result = await plan.judge(item);
        appendFileSync(file, `${JSON.stringify({ key: item.key, result })}\n`);
        console.log(`${done.size + 1} of ${items.length}  ${item.key}: ${plan.complaints(result, item).join('; ') || 'as it should be'}`);
      }
    },
    conclude: async (name, options) => {
      const items = await listItems(options);
      const done = readProgress<Result>(progressFile(name));
      const results = items.map(({ key }) => {
        const result = done.get(key);
        if (result === undefined) throw new Error(`${key} was not judged; run the campaign again, it continues where it stopped`);
        return { key, result };
      });
      const page = plan.renderPage?.(results, items);
      if (page !== undefined) writeFileSync(join(root, resultsFolder, `${name}.md`), page);
      const complaints = items.flatMap((item, at) => complain(item, results[at]?.result as Result));
      noteResult([name, String(items.length), String(complaints.length), new Date().toISOString().slice(0, 10)]);
      return complaints;
    },
    smoke: async () => {
      const complaints: string[] = [];
      const results: Judged<Result>[] = [];
      const items = plan.smoke(await listItems({}));
      if (items.length === 0) throw new Error('the campaign has no smoke items');
      for (const item of items) {
        const result = JSON.parse(JSON.stringify(await plan.judge(item))) as Result;
        results.push({ key: item.key, result });
        complaints.push(...complain(item, result));
      }
      // Checks that the page can be rendered; it is written only after a whole run.
      plan.renderPage?.(results, items);
      return complaints;
    },
  };
}

/** Puts the row of a campaign, which begins with its name, into the table of last results. */
function noteResult(cells: readonly string[]): void {
  const [head = '', table = ''] = readFileSync(campaignTable, 'utf8').split(/(?<=\|---\|\n)/);
  const others = table.split('\n').filter((row) => row !== '' && !row.startsWith(`| ${cells[0]} |`));
  const rows = [...others, `| ${cells.join(' | ')} |`].toSorted();
  writeFileSync(campaignTable, `${head}${rows.join('\n')}\n`);
}

/** Progress belongs to one state of the code: results of other code say nothing about this one. */
function progressFile(name: string): string {
  const file = join(root, `.touchstone/campaigns/${name}-${digestOfSources()}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

function readProgress<Result>(file: string): ReadonlyMap<string, Result> {
  if (!existsSync(file)) return new Map();
  // A killed process may leave half a line.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return new Map(lines.map((line) => JSON.parse(line) as Judged<Result>).map(({ key, result }) => [key, result]));
}

/** Eight hexadecimal digits over everything that campaigns judge: the source folders, the contract files and the tests, without earlier results. */
export function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const folder of ['core', 'generators', 'mocks', 'contracts', 'specs', 'test']) {
    const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.includes(resultsFolder));
    for (const path of paths.toSorted()) hash.update(path).update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 8);
}
