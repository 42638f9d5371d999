/** Texts of formats are valid, varied and reach edge cases; invalid texts look similar to valid ones. */

import { formatNames } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../core/json.ts';
import { textCheckOf } from '../../../../core/openapi/formats.ts';
import { arbitraryFor } from '../../../../generators/schema-arbitrary.ts';
import { parsePattern } from '../../../../generators/text/pattern-syntax.ts';
import { formatSyntax } from '../../../../generators/text/text-formats.ts';
import { drawMany, sourceFor } from './text-drawing.ts';

const checked = [...formatNames, 'date-time-local'].filter((name) => textCheckOf(name) !== undefined);

describe('the table of formats', () => {
  it('has every format that is checked', () => {
    expect(checked.filter((name) => formatSyntax(name) === undefined)).toEqual([]);
    expect(checked).toHaveLength(21);
  });

  it.each(checked)('%s: edgeCases and the simplest text are valid, invalid texts are not', (name) => {
    const [syntax, check] = [formatSyntax(name), textCheckOf(name)];
    if (syntax === undefined || check === undefined) throw new Error(`${name} is not in the table`);
    expect([syntax.simplest, ...syntax.edgeCases].filter((text) => !check(text))).toEqual([]);
    expect(syntax.invalid.filter(check)).toEqual([]);
    expect(new Set(syntax.invalid).size).toBe(syntax.invalid.length);
  });

  it.each(checked)('%s: each form draws valid texts only, and the necessaryPattern holds them all', (name) => {
    const [syntax, check] = [formatSyntax(name), textCheckOf(name)];
    if (syntax === undefined || check === undefined) throw new Error(`${name} is not in the table`);
    const necessaryPattern = parsePattern(syntax.necessaryPattern ?? '').regExp;
    for (const [index, form] of syntax.patterns.entries()) {
      const maxLength = (index === 0 ? syntax.usualLength : undefined) ?? 1_000;
      const source = sourceFor({ patterns: [form], maxLength });
      const drawn = [...drawMany(source, 80), ...drawMany(source, 60, 2)];
      expect(drawn.filter((text) => !check(text))).toEqual([]);
      expect([...drawn, ...syntax.edgeCases].filter((text) => !necessaryPattern.test(text))).toEqual([]);
    }
  });

  it.each(checked)('%s: what is valid is in the necessaryPattern even when it is spoiled text that stayed valid', (name) => {
    const [syntax, check] = [formatSyntax(name), textCheckOf(name)];
    const necessaryPattern = parsePattern(syntax?.necessaryPattern ?? '').regExp;
    const spoiled = [...drawMany(sourceFor({ formats: [name] }), 60, 2)].flatMap((text) => [
      text.toUpperCase(),
      text.toLowerCase(),
      text.slice(1),
      text.slice(0, -1),
      text.replace(/\d/, '9'),
      text.replace(':', ''),
      `${text}0`,
      `${text}\n`,
      ` ${text}`,
    ]);
    expect(spoiled.filter((text) => check?.(text) && !necessaryPattern.test(text))).toEqual([]);
  });
});

describe('a format', () => {
  it.each(checked)('%s draws 500 valid texts, many different ones, and edgeCases', (name) => {
    const [source, check] = [sourceFor({ formats: [name] }), textCheckOf(name)];
    const drawn = [...drawMany(source, 400), ...drawMany(source, 100, 2)];
    expect(drawn.filter((text) => !check?.(text))).toEqual([]);
    expect(new Set(drawn).size).toBeGreaterThan(150);
    expect(drawn.filter((text) => formatSyntax(name)?.edgeCases.includes(text)).length).toBeGreaterThan(10);
    expect(source.simplest).toBe(formatSyntax(name)?.simplest);
  });

  it.each(checked)('%s: what is not valid is often near to what is', (name) => {
    const [source, check] = [sourceFor({ notFormats: [name] }), textCheckOf(name)];
    const drawn = [...drawMany(source, 300), ...drawMany(source, 100, 3)];
    expect(drawn.filter((text) => check?.(text))).toEqual([]);
    expect(drawn.filter((text) => formatSyntax(name)?.invalid.includes(text)).length).toBeGreaterThan(20);
    expect(new Set(drawn).size).toBeGreaterThan(60);
  });

  it('meets patterns, lengths and exceptions exactly', () => {
    expect(drawMany(sourceFor({ formats: ['date-time'], patterns: ['\\+02:00$'] }), 100).every((text) => text.endsWith('+02:00'))).toBe(
      true,
    );
    expect(drawMany(sourceFor({ formats: ['email'], maxLength: 12 }), 100).every((text) => text.length <= 12)).toBe(true);
    expect(drawMany(sourceFor({ formats: ['uri'], minLength: 60 }), 100).every((text) => text.length >= 60)).toBe(true);
    expect(drawMany(sourceFor({ formats: ['hostname'], minLength: 100 }), 100).every((text) => text.length >= 100)).toBe(true);
    expect(drawMany(sourceFor({ formats: ['email'], minLength: 90 }), 100).every((text) => text.length >= 90)).toBe(true);
    expect(drawMany(sourceFor({ formats: ['date'], patterns: ['^2024-02-2'], excluded: new Set(['2024-02-29']) }), 100)).not.toContain(
      '2024-02-29',
    );
    expect(drawMany(sourceFor({ formats: ['uri'], notFormats: ['url'] }), 100).every((text) => !textCheckOf('url')?.(text))).toBe(true);
    expect(
      drawMany(sourceFor({ formats: ['uri', 'url'] }), 100).every((text) => textCheckOf('url')?.(text) && textCheckOf('uri')?.(text)),
    ).toBe(true);
  });

  it('that nothing checks accepts everything', () => {
    const drawn = (schema: JsonObject): unknown[] => fc.sample(arbitraryFor({ type: 'string', ...schema }), { seed: 1, numRuns: 20 });
    for (const format of ['password', 'colour', 'int32']) expect(drawn({ format })).toEqual(drawn({}));
  });

  it('draws recent years mostly, and far ones sometimes', () => {
    const years = drawMany(sourceFor({ formats: ['date'] }), 500).map((text) => Number(text.slice(0, 4)));
    const recent = years.filter((year) => year >= 1990 && year <= 2040).length;
    expect(recent).toBeGreaterThan(400);
    expect(recent).toBeLessThan(490);
  });
});
