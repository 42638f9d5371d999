/** Redaction: keeps secrets out of every text that is shown or kept, however the text encodes them. */

import { type Finding, findingsIn, groupByStart, type Needles } from './redaction-match.ts';
import { needlesOf } from './redaction-needle.ts';

/** A value that must not be shown. */
export interface Secret {
  /** Shown in its place, as `$NAME`. */
  readonly name: string;
  readonly value: string;
}

/** Finds and hides secrets in texts. */
export interface Redactor {
  /** The text with `$NAME` in place of each secret, in whatever encoding. */
  readonly clean: (text: string) => string;
  /** The first secret that the text holds, and how it is encoded there, such as `plain`, `percent` or `base64 in json`. */
  readonly find: (text: string) => { readonly name: string; readonly encoding: string } | undefined;
}

/**
 * Makes a redactor for these secrets. It knows them plain, percent-encoded once or more, form-encoded, escaped as JSON or HTML, each for any of their
 * characters; as base64, base64url and hexadecimal, alone or inside longer data; and all of that inside two more layers of escapes.
 */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const known = new Map(
    secrets
      .filter(({ value }) => value !== '')
      .map(({ name, value }) => [value, name] as const)
      .toReversed(),
  );
  const needles = groupByStart([...known].flatMap(([value, name]) => needlesOf(name, value)));
  const find = (text: string): { readonly name: string; readonly encoding: string } | undefined => {
    for (const { needle, notations } of findingsIn(text, needles)) {
      const layers = [...(needle.coding === 'plain' ? [] : [needle.coding]), ...notations.toReversed()];
      return { name: needle.name, encoding: layers.length === 0 ? 'plain' : layers.join(' in ') };
    }
    return undefined;
  };
  return { clean: (text) => cleanText(text, needles), find };
}

/** A name may itself hold a secret, or make one together with its surroundings; what is put in place then says nothing, or nothing is left. */
const nameless = '‹secret›';

function cleanText(text: string, needles: Needles): string {
  const named = replaceFindings(text, needles, (name) => `$${name}`);
  if (named === text) return text;
  const cleaned = replaceFindings(named, needles, () => nameless);
  return cleaned === named || replaceFindings(cleaned, needles, () => '') === cleaned ? cleaned : nameless;
}

function replaceFindings(text: string, needles: Needles, show: (name: string) => string): string {
  const pieces: string[] = [];
  let shown = 0;
  for (const { start, end, name } of joinFindings([...findingsIn(text, needles)])) {
    pieces.push(text.slice(shown, start), show(name));
    shown = end;
  }
  return shown === 0 ? text : [...pieces, text.slice(shown)].join('');
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Findings that overlap are hidden together, under the name of the longest. */
function joinFindings(findings: readonly Finding[]): readonly Stretch[] {
  const joined: { start: number; end: number; name: string; longest: number }[] = [];
  for (const { start, end, needle } of findings.toSorted((left, right) => left.start - right.start || right.end - left.end)) {
    const last = joined.at(-1);
    if (last === undefined || start >= last.end) {
      joined.push({ start, end, name: needle.name, longest: end - start });
      continue;
    }
    last.end = Math.max(last.end, end);
    if (end - start > last.longest) Object.assign(last, { name: needle.name, longest: end - start });
  }
  return joined;
}
