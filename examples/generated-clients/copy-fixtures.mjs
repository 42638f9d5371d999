/** Copies the fixtures for the types of the other generators. */

import { readFileSync, writeFileSync } from 'node:fs';

const fixtures = readFileSync('fixtures.ts', 'utf8');
const modules = { 'openapi-typescript': './openapi-typescript.ts', orval: './orval.ts', package: 'touchstone/types/business' };
for (const [name, module] of Object.entries(modules))
  writeFileSync(`generated/fixtures-${name}.ts`, fixtures.replace('./generated/hey-api/types.gen.ts', module));
