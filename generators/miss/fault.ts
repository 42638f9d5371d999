/** Faults: every way to break one keyword of a schema while the rest of it is kept. */

import type { JsonObject } from '../../core/json.ts';
import { toPointer } from '../../core/pointer.ts';
import { omit } from '../algebra/expansion.ts';
import { type Alternative, type Claim, fails, type ItemDemand, only, satisfies } from '../algebra/facts.ts';
import { type Forms, formOf } from '../algebra/forms.ts';
import { type Breach, breachesOf, partsInPlace, present } from '../algebra/keywords.ts';
import type { Space } from '../algebra/node.ts';
import type { Site } from '../schema/site.ts';

/** One broken keyword, and what instances are like that break it and nothing else. */
export interface Fault {
  /** JSON Pointer of the place: a part only where a part must not be there at all. */
  readonly at: string;
  readonly keyword: string;
  /** What is wrong, as a clause without a subject: `is above 100`. */
  readonly change: string;
  readonly forms: () => Forms;
  /** The same where other schemas of the place that say the like may be broken as well: for when nothing else is possible. */
  readonly relaxed?: () => Forms;
}

/** Keywords whose schemas hold only under a condition: there the faults of those schemas tell more. */
const conditional: ReadonlySet<string> = new Set(['then', 'else', 'dependentSchemas']);

/** Keywords about the parts that no other keyword speaks of. */
const ofRest: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']);

/** Keywords whose breach lies in a part of the instance: there the part's own faults tell more, unless it has none because it must not be there. */
const ofParts: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'prefixItems', 'items']);

/** What must be left out of a schema so that a keyword of it can be broken. */
const together: ReadonlyMap<string, readonly string[]> = new Map([
  ['contains', ['contains', 'minContains', 'maxContains']],
  ['minContains', ['contains', 'minContains', 'maxContains']],
  ['maxContains', ['contains', 'minContains', 'maxContains']],
  ['then', ['if', 'then', 'else']],
  ['else', ['if', 'then', 'else']],
]);

/** Keywords that refuse the same members or items. */
const alike: ReadonlyMap<string, readonly string[]> = new Map([
  ['additionalProperties', ['unevaluatedProperties', 'propertyNames']],
  ['unevaluatedProperties', ['additionalProperties', 'propertyNames']],
  ['propertyNames', ['additionalProperties', 'unevaluatedProperties']],
]);

/** What of a fault tells what is broken. */
type Broken = Pick<Fault, 'keyword' | 'change'>;

/** How many schemas that refer to each other are gone through. */
const deepest = 8;

/** Finds the faults of instances. */
export class Faults {
  readonly #space: Space;

  constructor(space: Space) {
    this.#space = space;
  }

  /** The faults of an instance of which some claims should be true, at the instance itself. */
  of(claims: readonly Claim[]): readonly Fault[] {
    return claims.flatMap((claim, index) => {
      const others = claims.toSpliced(index, 1);
      // That a part must fail a schema comes from a choice around it: the choice tells what is wrong when the part does not.
      const own = claim.holds ? this.#ofSite(claim.site, deepest) : [];
      if (others.length === 0) return own;
      const rest = (): Forms => this.#space.expansion.joint(others);
      return own.map((fault) => this.#keeping(fault, rest, () => this.#relaxedJoint(others, fault)));
    });
  }

  /**
   * The ways to fail some claims where the rest of what they say is not kept: for schemas of which one demand cannot be broken without another, as with
   * members that are refused by their names and by their values.
   */
  looselyOf(claims: readonly Claim[]): readonly Fault[] {
    return claims.filter((claim) => claim.holds).flatMap((claim) => this.#waysToFail(claim.site, deepest));
  }

  #waysToFail(site: Site, depth: number): readonly Fault[] {
    if (depth === 0) return [];
    const choices = this.#space.expansion.failingChoices(site).map((way) => ({ at: '', ...way }));
    return [...breachesOf(site).map(faultOf), ...choices, ...partsInPlace(site).flatMap((part) => this.#waysToFail(part, depth - 1))];
  }

  #ofSite(site: Site, depth: number): readonly Fault[] {
    if (typeof site.schema === 'boolean') return site.schema ? [] : [isThere('', () => this.#space.expansion.formsOf(fails(site)))];
    if (depth === 0) return [];
    const isHere = ({ keyword }: Broken): boolean => !ofParts.has(keyword) && !this.#isToldByParts(site, keyword);
    const own = breachesOf(site)
      .filter(isHere)
      .map((breach) => this.#keeping(faultOf(breach), this.#satisfying(without(site, breach)), () => this.#relaxed(site, breach, deepest)));
    const choices = this.#space.expansion
      .failingChoices(site)
      .filter((choice) => !conditional.has(choice.keyword) && isHere(choice))
      .map(({ keyword, change, forms }) => {
        const rest = this.#satisfying(omit(site, together.get(keyword) ?? [keyword]));
        return { at: '', keyword, change, forms: () => this.#space.expansion.product(once(forms()), rest()) };
      });
    return [
      ...own,
      ...this.#forbiddenParts(site),
      ...this.#inPlace(site, depth),
      ...this.#ofBranches(site, depth),
      ...this.#underConditions(site, depth),
      ...choices,
    ];
  }

  #satisfying(site: Site): () => Forms {
    return () => this.#space.expansion.formsOf(satisfies(site));
  }

  #isPossible(site: Site): boolean {
    return this.#space.height(this.#space.node([satisfies(site)])) < Infinity;
  }

  /** Whether the parts that a keyword is about can be wrong by themselves: then it is they that tell what is wrong. */
  #isToldByParts(site: Site, keyword: string): boolean {
    return ofRest.has(keyword) && this.#isPossible(site.at(keyword));
  }

  /**
   * A fault of an instance that is right in other respects. Where nothing is, because another schema of the same place says the same, that may be broken
   * as well: `relaxed` leaves it out.
   */
  #keeping(fault: Fault, rest: () => Forms, relaxed: () => Forms): Fault {
    const { expansion } = this.#space;
    return {
      ...fault,
      forms: () => expansion.product(fault.forms(), rest()),
      relaxed: () => expansion.product((fault.relaxed ?? fault.forms)(), relaxed()),
    };
  }

  #relaxedJoint(claims: readonly Claim[], broken: Broken): Forms {
    const { expansion } = this.#space;
    const parts = claims.map((claim) => (claim.holds ? this.#relaxed(claim.site, broken, deepest) : expansion.formsOf(claim)));
    return parts.reduce((forms, part) => expansion.product(forms, part), expansion.joint([]));
  }

  /** What a schema and those that hold for the same instance say, without what is broken. */
  #relaxed(site: Site, broken: Broken, depth: number): Forms {
    const alone = omit(without(site, broken), ['$ref', '$dynamicRef', 'allOf', ...(alike.get(broken.keyword) ?? [])]);
    return partsInPlace(site).reduce((forms, part) => {
      const other = depth === 0 ? this.#satisfying(part)() : this.#relaxed(part, broken, depth - 1);
      return this.#space.expansion.product(forms, other);
    }, this.#satisfying(alone)());
  }

  /** Parts that must not be there, and are: members and items whose schema nothing satisfies. */
  #forbiddenParts(site: Site): readonly Fault[] {
    const isForbidden = (part: Site): boolean => !this.#isPossible(part);
    const fault = (at: string, open: Site, alternative: Alternative): Fault =>
      isThere(at, () => this.#space.expansion.product(formOf(alternative), this.#satisfying(open)()));
    const named = [...site.map('properties')].filter(([, part]) => isForbidden(part));
    const patterned = [...site.map('patternProperties')].filter(([, part]) => isForbidden(part));
    const prefix = site.list('prefixItems');
    const placed = [...prefix.entries()].filter(([, part]) => isForbidden(part));
    const { length } = prefix;
    const isClosed = site.keywords['items'] !== undefined && isForbidden(site.at('items'));
    const further = only('array', { array: { min: length + 1, max: length + 1 } });
    return [
      ...named.map(([name]) => fault(toPointer([name]), opened(site, 'properties', name), present([name]))),
      ...patterned.map(([pattern]) => fault('', opened(site, 'patternProperties', pattern), memberLike(pattern))),
      ...placed.map(([at]) => fault(toPointer([at]), opened(site, 'prefixItems', at), only('array', { array: { min: at + 1 } }))),
      ...(isClosed ? [fault(toPointer([length]), omit(site, ['items']), further)] : []),
    ];
  }

  /** The faults of schemas that hold for the same instance, where the others are kept. */
  #inPlace(site: Site, depth: number): readonly Fault[] {
    const references = (['$ref', '$dynamicRef'] as const).filter((keyword) => keyword in site.keywords);
    const referred = references.map((keyword) => [site.target(keyword), omit(site, [keyword])] as const);
    const parts = site.list('allOf').map((part, index) => {
      const others = (site.keywords['allOf'] as readonly never[]).toSpliced(index, 1);
      return [part, site.variant(`allOf but ${index}`, { ...site.keywords, allOf: others })] as const;
    });
    return [...referred, ...parts].flatMap(([part, rest]) =>
      this.#ofSite(part, depth - 1).map((fault) => this.#keeping(fault, this.#satisfying(rest), () => this.#relaxed(rest, fault, deepest))),
    );
  }

  /** The faults of schemas that hold only under a condition, which is met. */
  #underConditions(site: Site, depth: number): readonly Fault[] {
    const { expansion } = this.#space;
    const { keywords } = site;
    const branches = [['then', satisfies] as const, ['else', fails] as const].flatMap(([keyword, claim]) => {
      if (keywords['if'] === undefined || keywords[keyword] === undefined) return [];
      const open = this.#satisfying(omit(site, ['if', 'then', 'else']));
      return this.#within(site.at(keyword), depth, () => expansion.product(expansion.formsOf(claim(site.at('if'))), open()));
    });
    const others = this.#satisfying(omit(site, ['dependentSchemas']));
    const dependent = [...site.map('dependentSchemas')].flatMap(([name, part]) =>
      this.#within(part, depth, () => expansion.product(formOf(present([name])), others())),
    );
    return [...branches, ...dependent];
  }

  /** The faults of the branches of a choice. Another branch may take what one refuses, so whoever draws them must look again. */
  #ofBranches(site: Site, depth: number): readonly Fault[] {
    return ['anyOf', 'oneOf'].flatMap((keyword) =>
      site.list(keyword).flatMap((branch) => this.#within(branch, depth, this.#satisfying(omit(site, [keyword])))),
    );
  }

  /** The faults of a schema that holds now and then, where something else is kept. */
  #within(site: Site, depth: number, kept: () => Forms): readonly Fault[] {
    return this.#ofSite(site, depth - 1).map((fault) => this.#keeping(fault, kept, kept));
  }
}

function faultOf({ keyword, change, alternative }: Breach): Fault {
  return { at: '', keyword, change, forms: () => formOf(alternative) };
}

/** The fault that there is something where nothing may be. */
function isThere(at: string, forms: () => Forms): Fault {
  return { at, keyword: 'false', change: 'is there', forms };
}

/** A schema without what is broken. */
function without(site: Site, { keyword, change }: Broken): Site {
  if (keyword !== 'required') return omit(site, together.get(keyword) ?? [keyword]);
  // All required names but the one that is missing: otherwise several would be.
  const required = site.keywords['required'];
  const kept = Array.isArray(required) ? required.filter((name) => change !== `lacks ${String(name)}`) : [];
  return site.variant(`required but ${change}`, { ...site.keywords, required: kept });
}

/** The same forms with one wrong item, where there may be several. */
function once(forms: Forms): Forms {
  const single = (demand: ItemDemand): ItemDemand => (!demand.claim.holds && demand.min === 1 ? { ...demand, max: 1 } : demand);
  return { ...forms, list: forms.list.map((form) => ({ ...form, array: { ...form.array, demands: form.array.demands.map(single) } })) };
}

/** A schema that lets one of its parts be anything. */
function opened(site: Site, keyword: string, key: string | number): Site {
  const parts = site.keywords[keyword];
  const open = Array.isArray(parts) ? parts.with(Number(key), true) : { ...(parts as JsonObject), [key]: true };
  return site.variant(`open ${keyword} ${key}`, { ...site.keywords, [keyword]: open });
}

/** An object with a member whose name matches a pattern. */
function memberLike(pattern: string): Alternative {
  return only('object', { object: { min: 1, demands: [{ pattern, outside: [], name: [], claims: [] }] } });
}
