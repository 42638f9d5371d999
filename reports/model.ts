/**
 * A report as a document, apart from any format. Builders (`verify.ts`, `diff.ts`, `pact-check.ts`, …) make it from results; renderers (`terminal.ts`,
 * `markdown.ts`, `html.ts`) write it for people, and `junit.ts`, `github.ts` and `sarif.ts` write its items for programs.
 */

import type { SourceLocation } from '../core/errors.ts';
import type { Exchange } from '../core/http/exchange.ts';
import type { ChangeSide } from '../core/results/contract-change.ts';

/** How good the news is. */
export type Tone = 'bad' | 'doubtful' | 'good' | 'neutral';

/** A run of text. A link leads to a part of the same page; other formats show its text. */
export type Span = string | { readonly text: string; readonly as?: 'code' | 'strong' | 'faint' | Tone; readonly href?: string };

/** A line of text. */
export type Text = Span | readonly Span[];

/** A label and what it says. */
export type Fact = readonly [label: string, text: Text];

/** A part of a table: text, or folded details under a line. */
export type Cell = Text | { readonly line: Text; readonly summary: string; readonly blocks: readonly Block[] };

/** A row. `state` is the word that it can be filtered by, with the tone that it has. */
export interface Row {
  readonly cells: readonly Cell[];
  readonly state?: { readonly word: string; readonly tone: Tone };
}

/** A piece of a report. */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: Text }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  /** Two texts that belong beside each other. */
  | { readonly kind: 'versus'; readonly left: Fact; readonly right: Fact }
  | { readonly kind: 'list'; readonly title?: string; readonly items: readonly Text[] }
  /** A table; `find` offers to filter its rows by state and by words, where the format can. */
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly Row[]; readonly find?: boolean }
  /** Lines that are copied or read as they are, in parts, and what they show. A part that is `whole` is never cut. */
  | {
      readonly kind: 'listing';
      readonly label: string;
      readonly parts: readonly { readonly title: string; readonly lines: readonly string[]; readonly whole?: boolean }[];
      readonly conclusion: readonly string[];
    }
  /** What stood there before, and what stands there now. */
  | { readonly kind: 'sides'; readonly before: ChangeSide; readonly after: ChangeSide }
  /** What only a page has room for, folded there. */
  | { readonly kind: 'fold'; readonly title: string; readonly blocks: readonly Block[] }
  /** Exchanges, with command lines that send the same requests. */
  | { readonly kind: 'exchanges'; readonly exchanges: readonly Exchange[]; readonly curl: readonly string[] };

/** One thing that a section tells of: a violation, a change, an interaction. */
export interface Entry {
  readonly name: Text;
  /** One faint sentence beside the name. */
  readonly title: string;
  readonly tone: Tone;
  /** What is said of it where there is no room for more. */
  readonly line: string;
  readonly blocks: readonly Block[];
  /** A heading above it and its neighbours of the same group. */
  readonly group?: string;
  /** The name that links lead to. */
  readonly id?: string;
}

/** Where a report is read: in a terminal, as a comment of a pull request, or as a page. */
export type Medium = 'terminal' | 'comment' | 'page';

/** A part of a report. */
export interface Section {
  /** The name that links lead to. */
  readonly id: string;
  readonly title: string;
  readonly tone: Tone;
  readonly entries: readonly Entry[];
  readonly blocks?: readonly Block[];
  /** How many entries a terminal shows in full, and how many more in a line each. */
  readonly full: number;
  readonly lines: number;
  /** Whether it is read at once; other parts are folded where the format can. */
  readonly open: boolean;
  /** The media that have it; all of them unless given. */
  readonly only?: readonly Medium[];
}

/** A report for people. */
export interface Report {
  /** What it is a report of, in a word or two. */
  readonly subject: string;
  /** What was judged. */
  readonly headline: Text;
  /** The result as a sentence, without its full stop. */
  readonly verdict: string;
  readonly tone: Tone;
  /** What stands below the headline. */
  readonly lead: readonly Text[];
  readonly facts: readonly Fact[];
  readonly sections: readonly Section[];
  /** The last lines. */
  readonly end: readonly Text[];
}

/** One thing that was judged, for formats that programs read. */
export interface Item {
  /** The suite that it belongs to, and the class in it. Both stay the same from run to run, or a history of results would end. */
  readonly suite: string;
  readonly className: string;
  readonly name: string;
  readonly place?: SourceLocation | undefined;
  readonly state: 'passed' | 'failed' | 'skipped' | 'error';
  /** How an annotation shows it: its level and its title; absent for what gets none. */
  readonly annotation?: Pick<Annotation, 'level' | 'title'>;
  /** One sentence. */
  readonly message: string;
  /** What kind of mistake it is. */
  readonly type?: string;
  /** Lines that explain it, and lines that show it at length. */
  readonly details: readonly string[];
  readonly evidence?: readonly string[];
}

/** Everything that was judged, for formats that programs read. */
export interface ItemList {
  /** The command, such as `touchstone verify`. */
  readonly command: string;
  readonly durationMs?: number;
  /** The suite that is there even when it has no item. */
  readonly suite?: string;
  readonly items: readonly Item[];
  /** Lines about the whole. */
  readonly about: readonly string[];
  /** Annotations besides those of the items. */
  readonly annotations: readonly Annotation[];
}

/** A remark at a line of a file, or beside the run itself. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly lines: readonly string[];
  readonly place?: SourceLocation | undefined;
}

/** The spans of a text. */
export function spansOf(text: Text): readonly Span[] {
  return Array.isArray(text) ? (text as readonly Span[]) : [text as Span];
}

/** A text without its formatting. */
export function plain(text: Text): string {
  return spansOf(text)
    .map((span) => (typeof span === 'string' ? span : span.text))
    .join('');
}

/** Text in the shape of code. */
export const code = (text: string): Span => ({ text, as: 'code' });

/** Text that is less important than what stands around it. */
export const faint = (text: string): Span => ({ text, as: 'faint' });

/** The entries of a report that one medium shows, without sections that have nothing to say. */
export function sectionsFor({ sections }: Report, medium: Medium): readonly Section[] {
  return sections.filter(
    ({ only, entries, blocks = [] }) => (only === undefined || only.includes(medium)) && entries.length + blocks.length > 0,
  );
}
