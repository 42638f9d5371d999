/** One law in the summary: a violation with the requests that show it, or a line. */

import { printPlace } from '../core/errors.ts';
import type { LawResult } from '../core/verdict.ts';
import type { Ink } from './ink.ts';
import { cut, printable, wrap } from './layout.ts';
import { describeFurther, describeWaiver } from './verify/words.ts';

/** The words before the facts of a violation stand in one column. */
const labelWidth = 11;
const indent = ' '.repeat(4 + labelWidth);
/** So much of what else is wrong is told. */
const furtherMax = 5;

/** A violation: what was expected and what came, the rival that explains it, the clause, and the requests as they can be sent again. */
export function renderViolation(law: LawResult, ink: Ink): readonly string[] {
  const { counterexample: shown, diagnosis, fingerprint = '', further = [] } = law;
  const more = further.length - furtherMax;
  const facts: readonly (readonly [string, string])[] =
    shown === undefined
      ? [['actual', law.message]]
      : [
          ['expected', shown.expected],
          ['actual', shown.actual],
        ];
  return [
    `  ${ink.bad(printable(law.id))} at ${printable(law.operation)}  ${[fingerprint, ink.faint(printable(law.title))].join('  ').trim()}`,
    ...[...facts, ...(diagnosis === undefined ? [] : [['diagnosis', diagnosis] as const])].flatMap(([label, text]) =>
      renderFact(label, text),
    ),
    `${label('clause')}${printable(shown === undefined ? law.source : printPlace(shown.clause))}${renderSource(law)}`,
    // A command line is copied whole, so it is neither broken nor cut.
    ...(shown?.curl ?? []).map((line, index) => `${index === 0 ? label('try') : indent}${printable(line)}`),
    ...further.slice(0, furtherMax).flatMap((each) => renderFact('also', describeFurther(each))),
    ...(more <= 0 ? [] : renderFact('also', `${more} more: the report in JSON holds them`)),
  ];
}

/** A law in one line. */
export function renderLine(law: LawResult, ink: Ink): string {
  const name = `  ${printable(law.id)} at ${printable(law.operation)}`;
  const line = cut(law.message === '' ? name : `${name}: ${printable(law.message)}`);
  const paint = law.verdict === 'violated' ? ink.bad : ink.doubtful;
  return `${paint(line.slice(0, name.length))}${line.slice(name.length)}`;
}

/** A violation that fails nothing, in one line: why it does not, and until when. */
export function renderWaived(law: LawResult, ink: Ink): string {
  const name = `  ${printable(law.id)} at ${printable(law.operation)}`;
  const line = cut(law.waiver === undefined ? name : `${name}: ${printable(describeWaiver(law.waiver))}`);
  return `${ink.doubtful(line.slice(0, name.length))}${line.slice(name.length)}`;
}

function renderFact(name: string, text: string): readonly string[] {
  return wrap(printable(text), indent, label(name));
}

function label(name: string): string {
  return `    ${name.padEnd(labelWidth)}`;
}

/** Where a document other than the contract requires it, that is said too. */
function renderSource({ source, counterexample }: LawResult): string {
  return counterexample === undefined || source === printPlace(counterexample.clause) ? '' : `, from ${printable(source)}`;
}
