/** The contracts of the package are found by their names, and any other by its path. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../core/errors.ts';
import { annotationsSchemaFile, contractFile, contractName, listShipped } from '../../../core/shipped.ts';

describe('a contract of the package', () => {
  it('is listed by its name', () => {
    expect(listShipped()).toEqual(['business', 'wiki']);
  });

  it.each(['business', 'wiki'])('is found by the name %s', (name) => {
    expect(contractFile(name).endsWith(`/specs/${name}.openapi.yaml`)).toBe(true);
    expect(existsSync(contractFile(name))).toBe(true);
  });

  it('is checked by a schema that comes with it', () => {
    expect(existsSync(annotationsSchemaFile())).toBe(true);
  });
});

describe('another contract', () => {
  it('is found by its path', () => {
    const file = fileURLToPath(import.meta.url);
    expect(contractFile(file)).toBe(file);
  });

  it.each([
    ['busines', 'is business meant?'],
    ['wikki', 'is wiki meant?'],
    ['nowhere/at-all.yaml', 'name a file, or one of business, wiki'],
  ])('that is neither is told: %s', (name, wayOut) => {
    expect(() => contractFile(name)).toThrow(UsageError);
    expect(() => contractFile(name)).toThrow(name);
    expect(() => contractFile(name)).toThrow(wayOut);
  });
});

describe('the name of a contract', () => {
  it.each([
    ['specs/notes.openapi.yaml', 'notes'],
    ['notes.yml', 'notes'],
    ['C:\\specs\\Notes.OPENAPI.JSON', 'Notes'],
    ['/a.b/notes.v2.openapi.yaml', 'notes.v2'],
    ['notes', 'notes'],
    ['openapi.yaml', 'openapi'],
  ])('of %s is %s', (file, name) => {
    expect(contractName(file)).toBe(name);
  });
});
