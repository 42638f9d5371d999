/** Wiki entries hold links, images and a script. In a report about them, these are text. */

import { expect, it } from 'vitest';
import { verify } from '../../../contracts/verify/verify.ts';
import { contractFile } from '../../../core/shipped-files.ts';
import { renderHtml } from '../../../reports/render-html.ts';
import { reportOfRun } from '../../../reports/verify/verify-report.ts';
import { openContract } from '../../helpers/exchange-judge.ts';
import { startJudgedMock } from '../../helpers/judged-mock.ts';
import { ask } from '../../helpers/plain-client.ts';
import { elementsOf, readMarkup } from '../../helpers/reports/strict-markup.ts';

it('shows the body of an entry as text', { timeout: 60_000 }, async () => {
  const contract = await openContract(contractFile('wiki'));
  // The server answers an unknown entry with another one, so that the report shows a body.
  await using mock = await startJudgedMock({ contracts: ['wiki'], mutants: ['absent-as-first:getEntry'] });
  const body = String((await ask(mock, '/api/v1/wiki/prototipo-2.1')).at('/data/body_public'));
  expect(body).toContain('<script>');
  const result = await verify({ contract, target: mock.url, quick: true }).result;
  const shown = JSON.stringify(result.checks.map(({ counterexample }) => counterexample));
  expect(shown).toMatch(/<(script|img|a|em|strong)[ >]/);
  const page = readMarkup(renderHtml(reportOfRun(result)));
  expect(elementsOf(page, 'script')).toHaveLength(1);
  for (const name of ['img', 'em']) expect(elementsOf(page, name)).toEqual([]);
  for (const { attributes } of elementsOf(page, 'a')) expect(attributes['href']).toMatch(/^#/);
});
