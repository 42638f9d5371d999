/** What a report contains, independent of its format: sections for people, and tests with annotations for programs. */

import type { SourceLocation } from '../core/errors.ts';
import type { TextExcerpt } from '../core/excerpt.ts';
import type { ChangeSide } from '../core/results/diff-result.ts';
import type { Counterexample } from '../core/results/run-result.ts';

/** Rating of a part of a report. It decides the colour and the sign. */
export type Tone = 'bad' | 'doubtful' | 'good' | 'neutral';

/** A piece of text with one format. In HTML pages, `href` links to a part of the page, and `copy` names the text of a copy button. Comments link to URLs. */
export type Span =
  | string
  | { readonly text: string; readonly as?: 'code' | 'strong' | 'faint' | Tone; readonly href?: string; readonly copy?: string };

/** A line of text. */
export type Text = Span | readonly Span[];

/** A label with its text. */
export type Fact = readonly [label: string, text: Text];

/** A table cell: text, or a line with folded details. */
export type Cell = Text | { readonly line: Text; readonly summary: string; readonly blocks: readonly Block[] };

/** A table row. HTML pages filter rows by `state`, a word with its tone, and by `labels`, such as the operation. */
export interface Row {
  readonly cells: readonly Cell[];
  readonly state?: { readonly word: string; readonly tone: Tone };
  readonly labels?: readonly Label[];
}

/** A property of a table row, and its value. */
type Label = readonly [name: string, value: string];

/** A block of a report. */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: Text }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  /** Two labelled texts to compare. */
  | { readonly kind: 'versus'; readonly left: Fact; readonly right: Fact }
  | { readonly kind: 'list'; readonly title?: string; readonly items: readonly Text[] }
  /** A table. With `find`, HTML pages can filter its rows by state, label and text. */
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly Row[]; readonly find?: boolean }
  /** Preformatted lines in parts, and a conclusion. A part with `whole` keeps all its lines. */
  | {
      readonly kind: 'listing';
      readonly label: string;
      readonly parts: readonly { readonly title: string; readonly lines: readonly string[]; readonly whole?: boolean }[];
      readonly conclusion: readonly string[];
    }
  /** The old and the new value of a change. */
  | { readonly kind: 'sides'; readonly before: ChangeSide; readonly after: ChangeSide }
  /** Folded details. A terminal leaves them out. */
  | { readonly kind: 'fold'; readonly title: string; readonly blocks: readonly Block[] }
  /** Lines of a file around a marked one. A terminal shows them with `--verbose`, a comment folds them. */
  | { readonly kind: 'excerpt'; readonly label: string; readonly excerpt: TextExcerpt }
  /** HTTP exchanges with the lines of their bodies that matter, and curl commands that send the same requests. `best` shows the violation best. */
  | ({ readonly kind: 'exchanges' } & Pick<Counterexample, 'exchanges' | 'curl' | 'best' | 'excerpts'>);

/** An entry of a section: a violation, a change or an interaction. */
export interface Entry {
  readonly name: Text;
  /** A faint sentence beside the name. */
  readonly title?: string;
  readonly tone: Tone;
  /** Short form, for lists and when space is limited. */
  readonly line: string;
  readonly blocks?: readonly Block[];
  /** Heading above consecutive entries of the same group. */
  readonly group?: string;
  /** Target of links. */
  readonly id?: string;
}

/** Output medium: a terminal, a pull-request comment, or an HTML page. */
type Medium = 'terminal' | 'comment' | 'page';

/** A section of a report. By default it is empty and folded. */
export interface Section {
  /** Target of links. */
  readonly id: string;
  readonly title: string;
  readonly tone: Tone;
  readonly entries?: readonly Entry[];
  readonly blocks?: readonly Block[];
  /** True if a terminal shows the first entries in full, at most twenty. All others are in short form. */
  readonly full?: boolean;
  /** Maximum number of entries in short form; 100 by default. A terminal only counts those beyond. */
  readonly lines?: number;
  /** True if the section is visible at once. Other sections are folded if the format can fold them. */
  readonly open?: boolean;
  /** True if a terminal shows in full only as many entries as fit its screen, and three more by name. Logs and `--verbose` ignore it. */
  readonly fitsScreen?: boolean;
  /** True if a terminal shows the section only with `--verbose`. */
  readonly isDetail?: boolean;
  /** Media that show the section; all by default. */
  readonly only?: readonly Medium[];
}

/** A section with all its members. */
export type FilledSection = Required<Omit<Section, 'only'>> & Pick<Section, 'only'>;

/** A report for people. */
export interface Report {
  /** Kind of the report, in one or two words. */
  readonly subject: string;
  /** What is reported on, such as contract and target. */
  readonly headline: Text;
  /** Result as a sentence, without a full stop. */
  readonly verdict: string;
  readonly tone: Tone;
  /** Numbers of results by kind, the most severe first. HTML pages draw them as a bar. */
  readonly shares?: readonly { readonly word: string; readonly tone: Tone; readonly number: number }[];
  /** Lines below the headline. */
  readonly lead?: readonly Text[];
  readonly facts?: readonly Fact[];
  readonly sections: readonly Section[];
  /** Last lines. */
  readonly end?: readonly Text[];
}

/** A report with its results for programs: JUnit shows the tests, and GitHub, GitLab and SARIF the annotations. Both show blocks of the entries as lines. */
export interface JudgedReport extends Report {
  /** Command, such as `touchstone verify`. */
  readonly command: string;
  /** Name of the judged thing, such as that of the contract. It stays the same from run to run. */
  readonly name: string;
  /** Version of Touchstone that checked the target. */
  readonly toolVersion?: string;
  /** Start in UTC, as `2026-12-31T23:59:59.000Z`. */
  readonly started?: string;
  readonly durationMs?: number;
  readonly tests: readonly TestCase[];
  /** Findings, the worst first, and remarks on the run. */
  readonly annotations: readonly Annotation[];
  /** Rules with their help; by default those of the findings, without help. */
  readonly rules?: readonly RuleHelp[];
}

/** A test case of JUnit: a check, a change or an interaction. */
export interface TestCase {
  /** Test suite; `className` is the class in it. Both stay the same in every run, so that a CI system can keep a test history. */
  readonly suite: string;
  readonly className: string;
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'error';
  /** Result in one sentence. */
  readonly message: string;
  /** Kind of the failure. */
  readonly type?: string;
  /** Explanation. */
  readonly blocks: readonly Block[];
  readonly durationMs?: number;
}

/** A remark at a line of a file, or on the whole run. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly place?: SourceLocation | undefined;
  /** URL of the judged server, for a finding whose place is in no file of the user. */
  readonly target?: string;
  /** The finding that it shows; absent for a remark on the run. */
  readonly finding?: AnnotatedFinding;
}

/** A finding, as code review tools keep it. */
export interface AnnotatedFinding {
  /** Name that stays the same from run to run. */
  readonly id: string;
  /** Rule of the finding, such as `paging/ties`. */
  readonly rule: string;
  /** Operation or interaction that has it. */
  readonly subject: string;
  /** The finding in one sentence. */
  readonly message: string;
  readonly severity: 'blocker' | 'critical' | 'major' | 'minor' | 'info';
  /** Reason why it is accepted; absent if it is not. */
  readonly accepted?: string;
}

/** A rule, as code review tools explain it. */
export interface RuleHelp {
  readonly id: string;
  readonly title: string;
  readonly help: readonly string[];
  readonly tags: readonly string[];
}

/** Returns the spans of a text. */
export function spansOf(text: Text): readonly Span[] {
  return Array.isArray(text) ? (text as readonly Span[]) : [text as Span];
}

/** Returns a text without formatting. */
export function plain(text: Text): string {
  return spansOf(text)
    .map((span) => (typeof span === 'string' ? span : span.text))
    .join('');
}

/** Creates a span of code. */
export const code = (text: string): Span => ({ text, as: 'code' });

/** Creates a paragraph. */
export const paragraph = (text: Text): Block => ({ kind: 'paragraph', text });

/** Creates a span of less important text. */
export const faint = (text: string): Span => ({ text, as: 'faint' });

/** Returns the head and the end of a report as lines; the second one is the verdict. */
export function summaryOf({ headline, verdict, lead = [], end = [] }: Report): readonly string[] {
  return [plain(headline), `${verdict}.`, ...[...lead, ...end].map(plain)];
}

/** Fills in the default members of a section. */
export function fillSection(section: Section): FilledSection {
  return { entries: [], blocks: [], full: false, lines: 100, open: false, fitsScreen: false, isDetail: false, ...section };
}

/** Returns the sections for a medium, without empty sections. */
export function sectionsFor({ sections }: Report, medium: Medium): readonly FilledSection[] {
  return sections
    .map(fillSection)
    .filter(({ only, entries, blocks }) => (only === undefined || only.includes(medium)) && entries.length + blocks.length > 0);
}
