/**
 * The keywords that combine schemas, such as `anyOf`, `not` and `if`: the alternatives of each, and the ways to fail it. Both drawing and validating use them;
 * no instance is judged here.
 */

import { type Json, printJson } from '../../core/json.ts';
import { findTaggedUnion, type SchemaReader, type TaggedUnion, tagSchema } from '../../core/openapi/tagged-union.ts';
import { namesByNameOf } from '../schema/keyword-readers.ts';
import type { LocatedSchema } from '../schema/located-schema.ts';
import { type Constraint, fails, satisfies } from './constraint.ts';
import { partsInPlace } from './instance-keywords.ts';

/** A keyword that combines schemas. An instance meets it by meeting one of the alternatives, and fails it by meeting one of the failures. */
interface CombiningKeyword {
  /** The keywords that are read together. */
  readonly names: readonly string[];
  readonly alternatives: readonly Alternative[];
  readonly failures: readonly Failure[];
}

/** Constraints that are met together. */
interface Alternative {
  readonly conditions: readonly Constraint[];
  /** A schema that holds too; its faults count as faults of the instance. */
  readonly branch?: LocatedSchema | undefined;
  /** The other branches of `oneOf`: none of them holds. */
  readonly otherBranches?: readonly LocatedSchema[];
}

/** A way to fail: all constraints of one of the lists are met. */
interface Failure {
  readonly keyword: string;
  /** The problem, as a clause without a subject: `is above 100`. */
  readonly problem: string;
  readonly lists: readonly (readonly Constraint[])[];
}

/** The combining keywords of a schema. */
export function combiningKeywordsOf(location: LocatedSchema): readonly CombiningKeyword[] {
  const has = (name: string): boolean => location.keywords[name] !== undefined;
  const union = has('anyOf') || has('oneOf') ? findTaggedUnion(readerOf(location), location) : undefined;
  return [
    ...(union === undefined ? [] : [taggedUnion(location, union)]),
    ...(has('anyOf') && union === undefined ? [anyOf(location.list('anyOf'))] : []),
    ...(has('oneOf') && union === undefined ? [oneOf(location.list('oneOf'))] : []),
    ...(has('if') ? [conditional(location)] : []),
    ...(has('not') ? [negation(location.at('not'))] : []),
    ...[...namesByNameOf(location, 'dependentRequired')].map(([name, needed]) => dependentRequired(location, name, needed)),
    ...[...location.map('dependentSchemas')].map(([name, schema]) => dependentSchema(location, name, schema)),
  ];
}

/** All constraints of an alternative. The branch comes first, since its instances fail most other branches anyway. */
export function constraintsOf({ conditions, branch, otherBranches = [] }: Alternative): readonly Constraint[] {
  return [...(branch === undefined ? [] : [satisfies(branch)]), ...conditions, ...otherBranches.map(fails)];
}

function readerOf({ document }: LocatedSchema): SchemaReader<LocatedSchema> {
  return {
    document,
    keywordsOf: ({ keywords }) => keywords,
    certain: certainParts,
    property: (location, name) => location.map('properties').get(name),
    branches: (location, keyword) => location.list(keyword),
  };
}

/** A schema with those of its references and its `allOf`, recursively. */
function certainParts(location: LocatedSchema): readonly LocatedSchema[] {
  const parts = new Set([location]);
  for (const part of parts) for (const next of partsInPlace(part)) parts.add(next);
  return [...parts];
}

/** A union whose branches a member tells apart. Each branch is compared with its own values only, so a union of many branches stays small. */
function taggedUnion(location: LocatedSchema, { keyword, member, cases, other }: TaggedUnion<LocatedSchema>): CombiningKeyword {
  const tag = (values: readonly Json[]): LocatedSchema => location.variant(`tag ${printJson([member, values])}`, tagSchema(member, values));
  const taggedCases = cases.map(({ branch, values }) => ({ branch, values, isTagged: satisfies(tag(values)) }));
  const isUntagged = fails(tag(cases.flatMap(({ values }) => values)));
  return {
    names: [keyword],
    alternatives: [
      ...taggedCases.map(({ branch, isTagged }) => ({ conditions: [isTagged], branch })),
      ...(other === undefined ? [] : [{ conditions: [], branch: other }]),
    ],
    failures: [
      { keyword, problem: 'matches none of the schemas', lists: [other === undefined ? [isUntagged] : [isUntagged, fails(other)]] },
      ...taggedCases.map(({ branch, values, isTagged }) => ({
        keyword,
        problem: `does not match the schema for ${member} ${values.map((value) => printJson(value)).join(' or ')}`,
        lists: [[isTagged, fails(branch)]],
      })),
    ],
  };
}

function anyOf(branches: readonly LocatedSchema[]): CombiningKeyword {
  return {
    names: ['anyOf'],
    alternatives: branches.map((branch) => ({ conditions: [], branch })),
    failures: [{ keyword: 'anyOf', problem: 'matches none of the schemas', lists: [branches.map(fails)] }],
  };
}

function oneOf(branches: readonly LocatedSchema[]): CombiningKeyword {
  const pairs = branches.flatMap((first, index) => branches.slice(index + 1).map((second) => [satisfies(first), satisfies(second)]));
  return {
    names: ['oneOf'],
    alternatives: branches.map((branch, index) => ({ conditions: [], branch, otherBranches: branches.toSpliced(index, 1) })),
    failures: [
      { keyword: 'oneOf', problem: 'matches none of the schemas', lists: [branches.map(fails)] },
      { keyword: 'oneOf', problem: 'matches two of the schemas', lists: pairs },
    ],
  };
}

function conditional(location: LocatedSchema): CombiningKeyword {
  const condition = location.at('if');
  const cases = [
    ['then', satisfies(condition), 'matches `if` but not `then`'],
    ['else', fails(condition), 'matches neither `if` nor `else`'],
  ] as const;
  const schemaOf = (keyword: string): LocatedSchema | undefined =>
    location.keywords[keyword] === undefined ? undefined : location.at(keyword);
  return {
    names: ['if', 'then', 'else'],
    alternatives: cases.map(([keyword, constraint]) => ({ conditions: [constraint], branch: schemaOf(keyword) })),
    failures: cases.flatMap(([keyword, constraint, problem]) => {
      const schema = schemaOf(keyword);
      return schema === undefined ? [] : [{ keyword, problem, lists: [[constraint, fails(schema)]] }];
    }),
  };
}

function negation(schema: LocatedSchema): CombiningKeyword {
  return {
    names: ['not'],
    alternatives: [{ conditions: [fails(schema)] }],
    failures: [{ keyword: 'not', problem: 'matches the forbidden schema', lists: [[satisfies(schema)]] }],
  };
}

function dependentRequired(location: LocatedSchema, name: string, needed: readonly string[]): CombiningKeyword {
  const isPresent = fails(lacking(location, name));
  return {
    names: ['dependentRequired'],
    alternatives: [
      { conditions: [satisfies(lacking(location, name))] },
      { conditions: [isPresent, ...needed.map((other) => fails(lacking(location, other)))] },
    ],
    failures: needed.map((missing) => ({
      keyword: 'dependentRequired',
      problem: `has ${name} but lacks ${missing}`,
      lists: [[isPresent, satisfies(lacking(location, missing))]],
    })),
  };
}

function dependentSchema(location: LocatedSchema, name: string, schema: LocatedSchema): CombiningKeyword {
  const absence = lacking(location, name);
  return {
    names: ['dependentSchemas'],
    alternatives: [{ conditions: [satisfies(absence)] }, { conditions: [fails(absence)], branch: schema }],
    failures: [
      {
        keyword: 'dependentSchemas',
        problem: `has ${name} but does not match its dependent schema`,
        lists: [[fails(absence), fails(schema)]],
      },
    ],
  };
}

/** A schema of the instances without a member. Only objects with this member fail it. */
function lacking(location: LocatedSchema, name: string): LocatedSchema {
  return location.variant(`lacking ${name}`, { properties: { [name]: false } });
}
