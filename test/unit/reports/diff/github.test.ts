/** Workflow commands of GitHub: one line each, at the line of the new file, and no text can begin another command. */

import { describe, expect, it } from 'vitest';
import { changeLevels } from '../../../../core/results/diff-result.ts';
import { reportOfComparison } from '../../../../reports/diff/diff-report.ts';
import { renderGithub } from '../../../../reports/render-github-annotations.ts';
import { changeOf, comparisonOf, hostileChange, kinds, mildOf } from '../../../helpers/reports/sample-comparisons.ts';
import { readCommands } from '../workflow-commands.ts';

describe('workflow commands', () => {
  it('tell what breaks as errors, what is risky as warnings, and no words that changed', () => {
    const commands = readCommands(
      renderGithub(
        reportOfComparison(comparisonOf(changeLevels.slice(1).map((level) => (level === 'breaking' ? changeOf() : mildOf(level))))),
      ),
    );
    expect(commands.map(({ command }) => command)).toEqual(['error', 'warning', 'notice', 'notice']);
    expect(commands[0]?.properties).toEqual({
      file: 'new.yaml',
      line: '41',
      col: '9',
      title: 'breaking: The value "archived" was added to the enum',
    });
    expect(commands[0]?.message.split('\n')).toEqual([
      'The value "archived" was added to the enum.',
      'before: ["open","closed"] (old.yaml:40:9)',
      'after: ["open","closed","archived"] (new.yaml:41:9)',
      'breaks: clients and generated code: A client that knows only the old values meets one that it does not know.',
      'verdict: witnessed: one contract allows the exchange, the other rejects it',
      `curl -si -H 'accept: application/json' "$BASE_URL/things?limit=2"`,
      'HTTP 200',
      'content-type: application/json',
      '{"items":[{"id":1,"state":"open"},{"id":2,"state":"archived"}]}',
      'The old contract rejects /items/1/state = "archived" because of enum: must be one of "open", "closed" (old.yaml:40:9). The new contract allows it.',
      "accept: - { id: response-body/enum-value-added, fingerprint: '0123456789ab', reason: '' }",
    ]);
  });

  it.each(kinds)('are one line each: %s', (_, comparison) => {
    const commands = readCommands(renderGithub(reportOfComparison(comparison)));
    const annotated = comparison.changes.filter(({ level }) => level !== 'documentation').length;
    expect(commands).toHaveLength(Math.min(annotated + comparison.notes.length + 1, 10));
    for (const { command, properties } of commands) {
      expect(['error', 'warning', 'notice']).toContain(command);
      expect(properties['title']).toBeTruthy();
    }
  });

  it('give back the texts that they were given, whatever these hold', () => {
    const text = 'a,b:c%0A::error::100%';
    const [command] = readCommands(renderGithub(reportOfComparison(comparisonOf([hostileChange('breaking', text)]))));
    expect(command?.properties).toEqual({ file: text, line: '3', col: '4', title: `breaking: ${text}` });
    expect(command?.message.split('\n')[0]).toBe(`${text}.`);
  });

  it('leave out what was accepted', () => {
    const accepted = [{ change: changeOf(), reason: 'x', expires: undefined }];
    const commands = readCommands(renderGithub(reportOfComparison(comparisonOf([], { accepted }))));
    expect(commands.map(({ properties }) => properties['title'])).toEqual(['Things 1.2.0 → 1.3.0: no changes; 1 accepted']);
  });
});
