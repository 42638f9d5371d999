/** Contracts of the package are found by name, other contracts by path. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../core/errors.ts';
import { annotationsSchemaFile, contractFile, contractName, listShipped, profileFile } from '../../../core/shipped-files.ts';

describe('a contract', () => {
  it('of the package is listed and found by its name, and checked by a schema that comes with it', () => {
    expect(listShipped()).toEqual(['business', 'wiki']);
    for (const name of listShipped()) expect(contractFile(name).endsWith(`/specs/${name}.openapi.yaml`)).toBe(true);
    for (const file of [annotationsSchemaFile(), ...listShipped().map(contractFile)]) expect(existsSync(file)).toBe(true);
  });

  it('is found by its path, as a profile is', () => {
    const file = fileURLToPath(import.meta.url);
    expect([contractFile(file), profileFile(file)]).toEqual([file, file]);
  });

  it.each([
    ['busines', 'did you mean business?'],
    ['wikki', 'did you mean wiki?'],
    ['nowhere/at-all.yaml', 'name a file, or one of business, wiki'],
  ])('that is neither is reported: %s', (name, wayOut) => {
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
