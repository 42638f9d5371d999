/** Reads YAML text into plain nodes that remember their place, so that every complaint about a scenario can name its file and line. */
import { isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument } from 'yaml';

/** One value of a scenario file: a scalar, a list or a map. */
export type SourceNode = ScalarNode | ListNode | MapNode;

/** A single word, number or sentence. */
export interface ScalarNode extends Place {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}

/** Values in a row. */
export interface ListNode extends Place {
  readonly kind: 'list';
  readonly items: readonly SourceNode[];
}

/** Values by name. */
export interface MapNode extends Place {
  readonly kind: 'map';
  readonly members: ReadonlyMap<string, SourceNode>;
}

interface Place {
  /** `file:line`, as error messages print it. */
  readonly where: string;
  /** The tag without its exclamation mark, such as `any`; empty when there is none. */
  readonly tag: string;
}

/** A scenario file that does not say something the runner understands. */
export class ScenarioError extends Error {
  override name = 'ScenarioError';
}

/** Parses one YAML document; anything that YAML itself refuses (a repeated key, for one) is an error. */
export const readSource = (file: string, text: string): SourceNode => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [problem] = document.errors;
  if (problem !== undefined) throw new ScenarioError(`${file}: not readable as YAML: ${problem.message}`);
  return nodeOf(document.contents, (offset) => `${file}:${lines.linePos(offset).line}`, file);
};

/** The text of a scalar; numbers are given as they are written in JSON. */
export const textOf = (node: SourceNode, what: string): string => {
  if (node.kind !== 'scalar' || node.value === null || node.value === '') throw new ScenarioError(`${node.where}: ${what} must be a text`);
  return String(node.value);
};

/** A switch that can only be turned on: it says `yes`. */
export const yesOf = (node: SourceNode, what: string): true => {
  if (node.kind !== 'scalar' || node.value !== 'yes')
    throw new ScenarioError(`${node.where}: ${what} can only say "yes"; leave it out otherwise`);
  return true;
};

/** The items of a list. */
export const itemsOf = (node: SourceNode, what: string): readonly SourceNode[] => {
  if (node.kind !== 'list') throw new ScenarioError(`${node.where}: ${what} must be a list`);
  return node.items;
};

/** The members of a map, whatever their names. */
export const membersOf = (node: SourceNode, what: string): ReadonlyMap<string, SourceNode> => {
  if (node.kind !== 'map') throw new ScenarioError(`${node.where}: ${what} must be a map`);
  return node.members;
};

/** The members of a map whose names are all known; any other name is an error. */
export const knownMembersOf = (node: SourceNode, what: string, known: readonly string[]): ReadonlyMap<string, SourceNode> => {
  const members = membersOf(node, what);
  for (const [key, value] of members) {
    if (!known.includes(key)) throw new ScenarioError(`${value.where}: unknown key "${key}" in ${what}; known are: ${known.join(', ')}`);
  }
  return members;
};

type Locate = (offset: number) => string;

const nodeOf = (content: unknown, locate: Locate, file: string): SourceNode => {
  if (isScalar(content)) return { kind: 'scalar', ...placeOf(content, locate), value: scalarOf(content.value, content, locate) };
  if (isSeq(content)) return { kind: 'list', ...placeOf(content, locate), items: content.items.map((item) => nodeOf(item, locate, file)) };
  if (isMap(content)) return { kind: 'map', ...placeOf(content, locate), members: toMembers(content.items, locate, file) };
  throw new ScenarioError(`${file}: an empty document or an alias (*name): write the value out`);
};

const toMembers = (pairs: readonly Pair[], locate: Locate, file: string): ReadonlyMap<string, SourceNode> =>
  new Map(pairs.map(({ key, value }) => [isScalar(key) ? String(key.value) : 'a key that is not a text', nodeOf(value, locate, file)]));

interface Located {
  readonly tag?: string | undefined;
  readonly range?: readonly number[] | null | undefined;
}

const placeOf = (node: Located, locate: Locate): Place => ({ where: locate(node.range?.[0] ?? 0), tag: tagOf(node.tag) });

// YAML gives its own tags (tag:yaml.org,…) to nodes written without one in some styles; only a scenario's own tags start with "!".
const tagOf = (tag: string | undefined): string => (tag?.startsWith('!') === true ? tag.slice(1) : '');

const scalarOf = (value: unknown, node: Located, locate: Locate): string | number | boolean | null => {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new ScenarioError(`${locate(node.range?.[0] ?? 0)}: a value that is neither text, number, true, false nor null`);
};
