/** Rules of junit-10.xsd, the schema by which the xUnit plugin of Jenkins accepts a file: the members of each element, and their form. */

import type { Element } from './strict-markup.ts';

/** The form of a time in seconds. */
const seconds = /^((\d{0,3},)*\d{3}|\d{0,3})*(\.\d{0,3})?$/;
const any = /^/;

interface Rule {
  readonly required: readonly string[];
  readonly attributes: Readonly<Record<string, RegExp>>;
  readonly children: readonly string[];
  readonly text?: true;
}

const attributesOf = (...names: readonly string[]): Rule['attributes'] => Object.fromEntries(names.map((name) => [name, any]));
const result: Rule = { required: [], attributes: attributesOf('type', 'message'), children: [], text: true };

const rules: Readonly<Record<string, Rule>> = {
  '': { required: [], attributes: {}, children: ['testsuites', 'testsuite'] },
  testsuites: {
    required: [],
    attributes: { ...attributesOf('name', 'tests', 'failures', 'errors'), time: seconds },
    children: ['testsuite'],
  },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    attributes: {
      ...attributesOf('name', 'tests', 'failures', 'errors', 'group', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log'),
      ...attributesOf('url', 'version'),
      time: seconds,
    },
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    required: ['name'],
    attributes: attributesOf('name', 'time', 'classname', 'group'),
    children: ['skipped', 'error', 'failure', 'rerunFailure', 'rerunError', 'flakyFailure', 'flakyError', 'system-out', 'system-err'],
  },
  failure: result,
  error: result,
  skipped: result,
  'system-out': { required: [], attributes: {}, children: [], text: true },
  'system-err': { required: [], attributes: {}, children: [], text: true },
};

/** Violations of a document; empty for a valid one. */
export function complaintsAboutJunit({ name, attributes, text, children }: Element): readonly string[] {
  const rule = rules[name];
  if (rule === undefined) return [`no element ${name}`];
  return [
    ...rule.required.filter((each) => attributes[each] === undefined).map((each) => `${name} lacks ${each}`),
    ...Object.entries(attributes).flatMap(([each, value]) => {
      const form = rule.attributes[each];
      return form?.test(value) === true ? [] : [`${name} has ${each}="${value}"`];
    }),
    ...children.filter((child) => !rule.children.includes(child.name)).map((child) => `${name} has ${child.name}`),
    ...(rule.text === true || children.some((child) => child.text !== '') || text.trim() === '' ? [] : [`${name} has text`]),
    ...children.flatMap(complaintsAboutJunit),
  ];
}
