/**
 * Compares the roots of both files: servers, `info` and the names of components. `compare-contracts.ts` calls it once, before it compares the operations. The
 * content of components is compared where operations use them.
 */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { toPointer, valueAt } from '../../core/pointer.ts';
import type { ChangeSide } from '../../core/results/contract-change.ts';
import type { ComparisonContext } from './comparison-context.ts';
import { pairRenamed } from './pair-renamed.ts';
import { memberSide, reportDifference, reportMemberChange, reportMemberChanges } from './report-difference.ts';

/** Compares servers, `info` and the names of components of both files. */
export function compareRoots(context: ComparisonContext): void {
  const part = { context, operation: undefined };
  const roots = { old: context.oldRoot, new: context.newRoot };
  const [old, next] = [serversIn(roots.old), serversIn(roots.new)];
  for (const url of new Set([...old, ...next])) {
    const isGone = !next.includes(url);
    if (old.includes(url) && !isGone) continue;
    const value = (holder: JsonObject): ChangeSide => ({ value: url, place: context.document.place(holder, 'servers') });
    reportMemberChange(part, roots, 'servers', {
      id: `contract/server-${isGone ? 'removed' : 'added'}`,
      level: isGone ? 'risky' : 'compatible',
      ...(isGone ? { before: value(roots.old) } : { after: value(roots.new) }),
      changedItem: url,
      text: `the server ${url} was ${isGone ? 'removed' : 'added'}`,
      ...(isGone ? { reason: 'Clients that are deployed with this address may no longer reach the server.' } : {}),
    });
  }
  compareComponentNames(context);
  const infoOf = ({ info }: JsonObject): JsonObject => (isObject(info) ? info : {});
  const info = { old: infoOf(roots.old), new: infoOf(roots.new) };
  reportMemberChanges(part, info, ['title', 'description', 'summary', 'termsOfService', 'contact', 'license'], (keyword) => ({
    id: `contract/${keyword === 'termsOfService' ? 'terms' : keyword}-changed`,
    level: 'documentation',
    text: `info.${keyword} changed`,
  }));
}

/** Reports renamed components. Their content is compared where operations use them. */
function compareComponentNames(context: ComparisonContext): void {
  for (const kind of ['schemas', 'parameters', 'responses', 'headers']) {
    const componentsOf = (root: JsonObject): JsonObject => {
      const components = valueAt(root, toPointer(['components', kind]));
      return isObject(components) ? components : {};
    };
    const [old, next] = [componentsOf(context.oldRoot), componentsOf(context.newRoot)];
    const renamed = pairRenamed(new Map(Object.entries(old)), new Map(Object.entries(next)), JSON.stringify);
    for (const [before, name] of renamed)
      reportDifference(
        { context, operation: undefined },
        {
          id: 'contract/component-renamed',
          level: 'documentation',
          before: memberSide(context, before, old, before),
          after: memberSide(context, name, next, name),
          changedItem: before,
          text: `the component \`${before}\` is now \`${name}\``,
          reason: 'Only generated code may take its names from it.',
        },
      );
  }
}

function serversIn({ servers }: JsonObject): readonly string[] {
  return Array.isArray(servers) ? (servers as readonly Json[]).flatMap((each) => (isObject(each) ? [String(each['url'])] : [])) : [];
}
