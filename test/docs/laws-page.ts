/** The page of the documentation about the laws (docs/laws.md). */

import type { Law } from '../../contracts/law.ts';
import type { Strength } from '../../core/verdict.ts';

/** What each strength means, for whoever has to decide about a violation. */
const strengths: Readonly<Record<Strength, string>> = {
  stated: 'the documents of the API say so',
  required: 'an RFC requires it',
  implied: 'it follows from what the documents say',
};

/** A section for each law, in the order in which a run looks at them within its group. */
export function renderLaws(laws: readonly Law[]): string {
  const groups = [...new Set(laws.map(groupOf))];
  const sections = groups.flatMap((group) => [`## ${group}`, '', ...laws.filter((law) => groupOf(law) === group).flatMap(renderLaw)]);
  return [
    '# The laws',
    '',
    'Generated from the code by `npm run docs`.',
    '',
    `\`touchstone verify\` judges a server by ${laws.length} laws, each at every operation that it is about. Which operations these are, and where the`,
    'contract states it, a run tells with each result. The identifiers are what `--only`, `--skip` and waivers name.',
    '',
    ...sections,
  ].join('\n');
}

function groupOf({ id }: Law): string {
  return id.split('/')[0] ?? id;
}

function renderLaw({ id, title, why, strength, rfc, slow }: Law): readonly string[] {
  const source = rfc === undefined ? 'the place of the contract that states it' : rfc;
  return [
    `### ${id}`,
    '',
    `**${title}.** ${why}`,
    '',
    `- Strength: ${strength}, since ${strengths[strength]}.`,
    `- Source: ${source}.`,
    ...(slow === true ? ['- Left out of quick runs.'] : []),
    '',
  ];
}
