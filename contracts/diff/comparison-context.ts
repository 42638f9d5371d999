/**
 * What the comparisons of standard OpenAPI, which run before those of annotations, share: their context, made once for two contracts, and the report of a
 * difference. A comparison decides the level, from which the default reason follows.
 */

import type { Json, JsonObject } from '../../core/json.ts';
import { isSameValue } from '../../core/json-equality.ts';
import type { ChangeLevel, HalfOfExchange } from '../../core/results/diff-result.ts';
import type { EditedSide, PlacedDocument } from './component-places.ts';
import { changeVerb } from './describe-value-change.ts';
import type { Difference } from './difference.ts';
import type { ExchangePart, ExchangePlace } from './exchange-place.ts';
import type { DocumentedOperation } from './operations/documented-operations.ts';
import type { MovedBase } from './operations/server-paths.ts';
import type { KeywordComparer } from './schemas/compare-all-keywords.ts';
import type { WitnessExchanges } from './witnesses/build-witness-exchange.ts';
import type { SchemaWitnessSearch } from './witnesses/schema-witness-search.ts';

/** The documents, the searches and the list of differences of one comparison. */
export interface ComparisonContext {
  /** Files of both sides in one document: it knows the place of every value and the target of every reference. */
  readonly document: PlacedDocument;
  readonly oldRoot: JsonObject;
  readonly newRoot: JsonObject;
  /** The base paths, if a part of them moved between the servers and the paths. */
  readonly movedBase: MovedBase | undefined;
  /** The new references to renamed components, by the old one. */
  readonly renamedComponents: ReadonlyMap<string, string>;
  /** Compares the keywords of two schemas. */
  readonly keywords: KeywordComparer;
  readonly search: SchemaWitnessSearch;
  /** Places with changed schemas for which a search found neither a value nor a proof. */
  readonly undecided: Set<string>;
  readonly exchanges: WitnessExchanges;
  /** Today as `2026-12-31`, for announced removals. */
  readonly today: string;
  readonly report: (difference: Difference) => void;
  /** Lets pending events run; false after an interruption. */
  readonly shouldContinue: () => Promise<boolean>;
}

/** The operation, or the part of it, that a difference belongs to. */
export interface ComparedPart {
  readonly context: ComparisonContext;
  /** Name of the operation in the new file; `undefined` outside operations. */
  readonly operation: string | undefined;
  readonly direction?: HalfOfExchange | undefined;
  readonly at?: ExchangePlace;
}

/** An operation of both documents, or a part of it. */
export interface OperationPair extends ComparedPart {
  readonly operation: string;
  readonly old: DocumentedOperation;
  readonly new: DocumentedOperation;
}

/** A part of an operation: its request or its response. Webhooks and callbacks swap the two, since the server sends their requests. */
export function exchangePart(
  pair: OperationPair,
  half: HalfOfExchange,
  part: ExchangePart,
): OperationPair & { readonly direction: HalfOfExchange; readonly at: { readonly part: ExchangePart } } {
  const other = half === 'request' ? 'response' : 'request';
  return { ...pair, direction: pair.old.isSentByServer ? other : half, at: { part } };
}

/** Members that a caller must state. The others follow from the part and the level. */
export type DifferenceDetails = Pick<Difference, 'id' | 'level' | 'before' | 'after' | 'changedItem' | 'text'> & Partial<Difference>;

/** Reports a difference, with the default reason and the default affected parties of its level. */
export function reportDifference({ context, operation, direction, at = {} }: ComparedPart, details: DifferenceDetails): void {
  context.report({ operation, direction, at, findWitness: undefined, ...defaultImpact(details.level, direction), ...details });
}

/** Default reason and affected parties of a level. */
function defaultImpact(level: ChangeLevel, direction: HalfOfExchange | undefined): Pick<Difference, 'reason' | 'affects'> {
  return { reason: reasons[level][direction ?? 'both'], affects: level === 'documentation' || level === 'compatible' ? [] : ['clients'] };
}

/** A changed text may tell of a changed behavior, so nothing is promised. */
const textOnly = 'No schema changed; read the text.';

const reasons: Readonly<Record<ChangeLevel, Readonly<Record<HalfOfExchange | 'both', string>>>> = {
  security: {
    request: 'Requests that were rejected before now succeed.',
    response: 'Clients receive what was hidden before.',
    both: 'Somebody sees or does more than the old contract allowed.',
  },
  breaking: {
    request: 'Deployed clients may still send what used to be allowed, and the server then rejects it.',
    response: 'A deployed client may receive what the old contract did not allow.',
    both: 'A deployed client that relies on the old contract fails.',
  },
  risky: {
    request: 'No promise is broken, but clients that sent more than the contract allows may notice.',
    response: 'No promise is broken, but clients that relied on unpromised details may notice.',
    both: 'No promise is broken, but some clients may notice.',
  },
  compatible: {
    request: 'This change alone rejects no request that was allowed before.',
    response: 'By this change alone, clients receive nothing that the old contract did not allow.',
    both: 'This change alone breaks no client of the old contract.',
  },
  documentation: {
    request: textOnly,
    response: textOnly,
    both: textOnly,
  },
};

/** Two corresponding objects of both documents. */
export interface ObjectPair {
  readonly old: JsonObject;
  readonly new: JsonObject;
}

/** Reports a change of one member of two objects. */
export function reportMemberChange(
  part: ComparedPart,
  sides: ObjectPair,
  key: string,
  details: Omit<DifferenceDetails, 'before' | 'after' | 'changedItem'> & Partial<Difference>,
): void {
  const sideOf = (holder: JsonObject): EditedSide => ({ value: holder[key], place: part.context.document.place(holder, key) });
  reportDifference(part, { before: sideOf(sides.old), after: sideOf(sides.new), changedItem: key, ...details });
}

/** Reports every changed member among the given keys. `happened` says in a sentence what happened to it, such as `was added`. */
export function reportChangedMembers(
  part: ComparedPart,
  sides: ObjectPair,
  keys: Iterable<string>,
  detailsOf: (key: string, happened: string) => Omit<DifferenceDetails, 'before' | 'after' | 'changedItem' | 'text'> & Partial<Difference>,
): void {
  for (const key of keys) {
    const [before, after] = [sides.old[key], sides.new[key]];
    if (isSameValue(before, after)) continue;
    const verb = changeVerb(before, after);
    const happened = verb === 'changed' ? verb : `was ${verb}`;
    reportMemberChange(part, sides, key, { text: `${key} ${happened}`, ...detailsOf(key, happened) });
  }
}

/** An object as one side of a difference. An absent object has the place of the enclosing object. */
export function objectSide({ document }: ComparisonContext, value: JsonObject | undefined, around: JsonObject): EditedSide {
  return { value, place: document.place(value ?? around) };
}

/** A member as one side of a difference. The place is that of the key, even if its value is a reference. */
export function memberSide({ document }: ComparisonContext, value: Json | undefined, holder: JsonObject, key: string): EditedSide {
  return { value, place: value === undefined ? document.place(holder) : document.place(holder, key) };
}
