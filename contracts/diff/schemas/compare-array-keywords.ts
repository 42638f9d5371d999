/** Compares the keywords of arrays: `items`, `prefixItems`, `contains`, `unevaluatedItems` and `uniqueItems`. */

import { isObject, type Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { showJson } from '../describe-value-change.ts';
import { compareSingleSchema } from './compare-object-keywords.ts';
import { type FlatSchema, isSchema, keywordSchemas, keywordValues, pickKeywords } from './flat-schema.ts';
import { changedSides, effectOf, provedEffect, type SchemaComparison, sidesWithConstraints } from './schema-pair.ts';

export function compareItems(comparison: SchemaComparison): void {
  comparePrefixItems(comparison);
  compareSingleSchema(comparison, 'items', { kind: 'items' });
  compareSingleSchema(comparison, 'unevaluatedItems', { kind: 'items' });
  compareContained(comparison);
  compareUnique(comparison);
}

/** Compares `contains`. Where a maximum counts the contained items, a schema that accepts fewer of them allows more arrays. */
function compareContained(comparison: SchemaComparison): void {
  const { flatSchemas, includes, old, new: next } = comparison;
  const [before, after] = [old, next].map((flat) => flatSchemas.combine(keywordSchemas(flat, 'contains')));
  const isCounted = old.keywords.has('maxContains') || next.keywords.has('maxContains');
  if (!isCounted || !isObject(before) || !isObject(after)) {
    compareSingleSchema(comparison, 'contains', { kind: 'contains' });
    return;
  }
  if (!comparison.differs(before, after)) return;
  const [acceptsLess, acceptsMore] = [!includes(before, after), !includes(after, before)];
  const isRequired = ![old, next].every((flat) => keywordValues(flat, 'minContains').includes(0));
  comparison.report({
    ...changedSides(comparison, 'contains'),
    rule: 'contains-changed',
    effect: effectOf(acceptsMore || (isRequired && acceptsLess), acceptsLess || (isRequired && acceptsMore)),
    text: ({ name }) => `contains of ${name} changed`,
  });
}

function prefixItemsOf(flat: FlatSchema): readonly Schema[] {
  const [list] = keywordValues(flat, 'prefixItems');
  return Array.isArray(list) ? (list as readonly Json[]).filter(isSchema) : [];
}

function comparePrefixItems(comparison: SchemaComparison): void {
  const [old, next] = [prefixItemsOf(comparison.old), prefixItemsOf(comparison.new)];
  for (const [index, schema] of old.entries()) {
    const after = next[index];
    if (after !== undefined) comparison.compareBelow({ kind: 'element', index }, schema, after);
  }
  if (old.length === next.length) return;
  const isLonger = next.length > old.length;
  // Items after the prefix follow the schema of `items`, so both keywords decide the effect.
  const keywords = ['prefixItems', 'items'];
  const constraints = { old: pickKeywords(comparison.old, keywords), new: pickKeywords(comparison.new, keywords) };
  comparison.report({
    ...changedSides(comparison, 'prefixItems'),
    rule: isLonger ? 'prefix-items-added' : 'prefix-items-removed',
    effect: provedEffect(comparison, constraints),
    text: ({ name }) => {
      const count = Math.abs(next.length - old.length);
      return `${count} ${count === 1 ? 'schema' : 'schemas'} in prefixItems of ${name} ${count === 1 ? 'was' : 'were'} ${isLonger ? 'added' : 'removed'}`;
    },
    constraints,
  });
}

function compareUnique(comparison: SchemaComparison): void {
  const [old = false, next = false] = [comparison.old, comparison.new].map((flat) => keywordValues(flat, 'uniqueItems').includes(true));
  if (old === next) return;
  comparison.report({
    ...sidesWithConstraints(comparison, 'uniqueItems'),
    rule: next ? 'unique-items-added' : 'unique-items-removed',
    effect: next ? 'narrower' : 'wider',
    text: ({ name }) => `uniqueItems of ${name} changed from ${showJson(old)} to ${showJson(next)}`,
  });
}
