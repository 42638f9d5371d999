/** The folder of what was written down: a file for each world, and a list of them. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openTarget } from '../../../contracts/target.ts';
import type { Contract } from '../../../core/contract.ts';
import type { Edit } from '../../../core/edit.ts';
import { disturb } from './disturb.ts';
import { judge, judgeAgain, type Summary, type Terms } from './judged.ts';
import { type Recording, recordTarget } from './recording.ts';
import type { World } from './worlds.ts';

/** What is written down of a world. */
export interface Saved extends Terms {
  readonly recording: Recording;
  readonly summary: Summary;
}

/** A line of the list: a world, what a law is about, or what a list answers. */
export interface Entry {
  readonly kind: 'world' | 'subjects' | 'answers';
  readonly name: string;
  readonly file: string;
  /** The name of its contract. */
  readonly contract: string;
  /** The laws that it is there for. */
  readonly about: readonly string[];
  /** Changes when anything that was written down does. */
  readonly digest: string;
  /** How much was written down, which tells how long judging takes. */
  readonly size: number;
}

/** What is written down of what laws are about. */
export interface SavedSubjects {
  /** What the contracts lose, one thing at a time, by their names. */
  readonly losses: Readonly<Record<string, readonly Edit[]>>;
  /** What each law is about in all of them. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Writes down what each law is about. */
export function writeSubjects(folder: string, saved: SavedSubjects): readonly Entry[] {
  const file = 'subjects.json.gz';
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), gzipSync(JSON.stringify(saved)));
  return Object.entries(saved.texts).map(([id, text]): Entry => {
    const about = { only: [id], about: [id] };
    return { kind: 'subjects', name: `what ${id} is about`, file, contract: '', ...about, digest: digestOf(text), size: 0 };
  });
}

/** Reads what each law is about. */
export function readSubjects(folder: string, file: string): SavedSubjects {
  return JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString()) as SavedSubjects;
}

/** Writes down what each list answers. */
export function writeAnswers(folder: string, texts: readonly string[]): readonly Entry[] {
  const file = 'answers.json.gz';
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), gzipSync(JSON.stringify(texts)));
  return texts.map((text, list): Entry => {
    const name = `what list ${list} answers`;
    return { kind: 'answers', name, file, contract: '', about: [], digest: digestOf(text), size: list };
  });
}

/** Reads what each list answers. */
export function readAnswers(folder: string, file: string): readonly string[] {
  return JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString()) as readonly string[];
}

/** Reads what was written down of a world. */
export function readSaved(folder: string, file: string): Saved {
  return JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString()) as Saved;
}

/** The list of what was written down. */
export function readEntries(folder: string): readonly Entry[] {
  return JSON.parse(readFileSync(join(folder, listFile), 'utf8')) as readonly Entry[];
}

/** Writes the list, and deletes what is not in it. */
export function writeEntries(folder: string, entries: readonly Entry[]): void {
  const kept = new Set([listFile, ...entries.map(({ file }) => file)]);
  for (const file of readdirSync(folder)) if (!kept.has(file)) rmSync(join(folder, file));
  writeFileSync(join(folder, listFile), `${JSON.stringify(entries, null, 1)}\n`);
}

/** Writes a world down, unless the same was written down before and is still judged the same. */
export async function writeDown(folder: string, contract: Contract, world: World): Promise<Entry> {
  const file = `${world.name.replaceAll(/[^a-z0-9]+/gi, '-')}.json.gz`;
  const known = existsSync(join(folder, file)) ? readSaved(folder, file) : undefined;
  const saved = known !== undefined && (await isCurrent(contract, world, known)) ? known : await play(contract, world);
  const text = JSON.stringify(saved);
  mkdirSync(folder, { recursive: true });
  if (saved !== known) writeFileSync(join(folder, file), gzipSync(text));
  return {
    kind: 'world',
    name: world.name,
    file,
    contract: contract.name,
    about: world.about ?? world.only,
    digest: digestOf(text),
    size: text.length,
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

async function isCurrent(
  contract: Contract,
  { only, quick, edits = [] }: World,
  { recording, summary, ...terms }: Saved,
): Promise<boolean> {
  const isSame = JSON.stringify([terms.only, terms.quick, terms.edits]) === JSON.stringify([only, quick, edits]);
  return isSame && (await judgeAgain(contract, terms, recording)) === summary;
}

async function play(contract: Contract, { name, only, quick, start, disturbance, edits = [] }: World): Promise<Saved> {
  await using server = await start();
  const { url, keys, hidden } = server;
  const terms: Terms = { only, quick, url, keys, hidden, edits };
  const target = openTarget({ url, timeoutMs: 10_000, headers: {}, environment: {} });
  const recorder = recordTarget(disturbance === undefined ? target : disturb(target, disturbance));
  const live = await judge(contract, terms, recorder);
  await recorder.close();
  const recording = recorder.recording();
  const summary = await judgeAgain(contract, terms, recording);
  if (summary !== live) throw new Error(`${name} is not judged the same from what was written down:\n${live}\n${summary}`);
  return { ...terms, recording, summary };
}

const listFile = 'list.json';
