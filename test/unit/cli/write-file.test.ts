/** Report files: replaced atomically, links and devices kept, and no temporary file left. */

import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readReports } from '../../../cli/report-option.ts';
import { writeWholeFile } from '../../../cli/write-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-report-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a report file', () => {
  it('is checked without a trace, and keeps its content until it is written', () => {
    const file = join(folder, 'r.json');
    expect(readReports([`json=${file}`], ['json']).files).toEqual([{ format: 'json', file }]);
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(file, 'old');
    readReports([`json=${file}`], ['json']);
    expect(readFileSync(file, 'utf8')).toBe('old');
    writeWholeFile(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['r.json']);
  });

  it('gets its folder created', () => {
    const file = join(folder, 'reports/of/today/r.json');
    readReports([`json=${file}`], ['json']);
    expect(readdirSync(join(folder, 'reports/of/today'))).toEqual([]);
    rmSync(join(folder, 'reports'), { recursive: true });
    writeWholeFile(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
  });

  it('may have an equals sign in its name', () => {
    expect(readReports([`json=${folder}/a=b.json`], ['json']).files[0]?.file).toBe(`${folder}/a=b.json`);
  });

  it('that is a link stays a link, and its target is replaced', () => {
    const [file, link] = [join(folder, 'r.json'), join(folder, 'link.json')];
    writeFileSync(file, 'old');
    symlinkSync(file, link);
    writeWholeFile(link, 'new');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('new');
  });

  it('that is a device is written to, not replaced', () => {
    readReports(['json=/dev/null'], ['json']);
    writeWholeFile('/dev/null', 'new');
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});
