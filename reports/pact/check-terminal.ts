/** The report of a check of pacts for people at a terminal: each finding under its interaction, with the lines of both files. */

import { printPlace } from '../../core/errors.ts';
import type { CheckedInteraction, CheckedPact, PactCheck, PactFinding } from '../../core/pact-check.ts';
import { createInk, type Ink } from '../ink.ts';
import { count, cut, printable, wrap } from '../layout.ts';
import { describeWitness } from './check-lines.ts';
import { describeCheck, describePact, describeQuestion } from './check-words.ts';

/** How to render. */
export interface PactCheckTerminalOptions {
  /** Whether colours are wanted. */
  readonly decorated: boolean;
  /** The files that hold the whole result. */
  readonly reports?: readonly string[];
}

/** So many findings are shown; a file holds them all. */
const findingsMost = 60;

/** Renders a check. */
export function renderPactCheck(check: PactCheck, { decorated, reports = [] }: PactCheckTerminalOptions): string {
  const ink = createInk(decorated);
  const { impossible, unpromised, pending } = check.count;
  const paint = impossible > 0 ? ink.bad : unpromised > 0 ? ink.doubtful : ink.good;
  const shown = new Set(check.pacts.flatMap(({ interactions }) => interactions.flatMap(({ findings }) => findings)).slice(0, findingsMost));
  const left = impossible + unpromised + pending - shown.size;
  const headline = paint(printable(describeCheck(check)));
  const sections = [
    [headline],
    ...check.pacts.flatMap((pact) => renderPact(pact, shown, ink)),
    left > 0 ? [`and ${count(left, 'further finding')}: see ${printable(reports[0] ?? '--report json=FILE')}`] : [],
    renderSkipped(check, ink),
    impossible + unpromised > 8 ? [headline] : [],
    reports.length > 0 ? [`Written: ${printable(reports.join(', '))}.`] : [],
  ];
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => `${lines.join('\n')}\n`);
  return `\n${texts.join('\n')}`;
}

function renderPact(pact: CheckedPact, shown: ReadonlySet<PactFinding>, ink: Ink): readonly (readonly string[])[] {
  const wrong = pact.interactions.filter(({ findings }) => findings.some((finding) => shown.has(finding)));
  const remarks = pact.interactions.flatMap((interaction) => interaction.remarks.map((remark) => ({ interaction, remark })));
  const good = pact.interactions.filter(({ findings }) => findings.length === 0).length;
  const title = [
    ink.strong(cut(printable(describePact(pact)))),
    ink.faint(printable(`  ${pact.file} against ${pact.contract.file}: ${good} of ${count(pact.interactions.length, 'interaction')} hold`)),
    ...pact.others.map(({ description, type }) => cut(printable(`  not judged: ${description} (${type})`))),
    ...remarks.flatMap(({ interaction, remark }) =>
      wrap(printable(`${interaction.description}: ${remark.message} (${printPlace(remark.place)})`), '    ', '  '),
    ),
  ];
  return [title, ...wrong.map((interaction) => renderInteraction(interaction, shown, ink))];
}

function renderInteraction(interaction: CheckedInteraction, shown: ReadonlySet<PactFinding>, ink: Ink): readonly string[] {
  const { description, states, request, status, isPending } = interaction;
  const given = states.length === 0 ? '' : `, given ${states.map((name) => `"${name}"`).join(' and ')}`;
  return [
    ink.strong(cut(printable(`${description}${given}`))),
    ink.faint(cut(printable(`  ${request} → ${status}${isPending ? ', pending' : ''}`))),
    ...interaction.findings.filter((finding) => shown.has(finding)).flatMap((finding) => renderFinding(finding, ink)),
  ];
}

function renderFinding(finding: PactFinding, ink: Ink): readonly string[] {
  const { grade, id, message, place, clause } = finding;
  const witness = describeWitness(finding);
  const paint = grade === 'impossible' ? ink.bad : ink.doubtful;
  const question = describeQuestion(finding);
  return [
    `  ${paint(grade)} ${ink.faint(id)}`,
    ...wrap(printable(message), '    '),
    ink.faint(`    ${printable(printPlace(place))}${clause === undefined ? '' : `, against ${printable(printPlace(clause))}`}`),
    ...(question === undefined ? [] : wrap(printable(`open question ${question}`), '      ', '    ')),
    ...(witness === undefined ? [] : wrap(printable(`an allowed answer: ${witness}`), '      ', '    ')),
  ];
}

function renderSkipped({ skipped }: PactCheck, ink: Ink): readonly string[] {
  if (skipped.length === 0) return [];
  return [ink.strong('Not checked'), ...skipped.flatMap(({ file, reason }) => wrap(printable(`${file}: ${reason}`), '    ', '  '))];
}
