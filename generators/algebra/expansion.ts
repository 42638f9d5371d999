/** From claims to forms: the disjunctive normal form of a schema down to the next array or object, and of its complement. */

import type { Site } from '../schema/site.ts';
import { type Alternative, type Claim, claimId, fails, meet, satisfies } from './facts.ts';
import { anything, type Forms, formOf, nothing, Products, prune, union } from './forms.ts';
import { breachesOf, dependencies, factsOf, partsInPlace, present, unevaluatedItems, unevaluatedProperties, without } from './keywords.ts';

/** Expands claims into forms, each claim once. */
export class Expansion extends Products {
  readonly #known = new Map<number, Forms>();
  readonly #open = new Set<number>();

  /** The forms of instances of which a claim is true. */
  formsOf(claim: Claim): Forms {
    const id = claimId(claim);
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    // A schema that is part of itself in place adds nothing to what it says elsewhere.
    if (this.#open.has(id)) return claim.holds ? anything : nothing;
    this.#open.add(id);
    try {
      const found = claim.holds ? this.#satisfying(claim.site) : ghosts(this.#failing(claim.site));
      this.#known.set(id, found);
      return found;
    } finally {
      this.#open.delete(id);
    }
  }

  /** The forms of instances of which all claims are true. Those that leave fewest forms come first, so that they prune the others. */
  joint(claims: readonly Claim[]): Forms {
    const parts = claims.map((claim) => this.formsOf(claim));
    return parts
      .toSorted((left, right) => left.list.length - right.list.length)
      .reduce((forms, part) => this.product(forms, part), anything);
  }

  #satisfying(site: Site): Forms {
    if (typeof site.schema === 'boolean') return site.schema ? anything : nothing;
    let forms = this.product(anything, formOf(factsOf(site)));
    for (const part of partsInPlace(site)) forms = this.product(forms, this.formsOf(satisfies(part)));
    forms = this.#choose(site, forms);
    if (site.keywords['not'] !== undefined) forms = this.#exclude(forms, site.at('not'));
    return this.#evaluate(site, this.#depend(site, forms), false);
  }

  #choose(site: Site, before: Forms): Forms {
    const { keywords: words } = site;
    let forms = before;
    if (words['anyOf'] !== undefined)
      forms = this.product(forms, union(site.list('anyOf').map((branch) => this.formsOf(satisfies(branch)))));
    if (words['oneOf'] !== undefined) {
      const branches = site.list('oneOf');
      const alone = branches.map((branch) => {
        const others = branches.filter((other) => other !== branch);
        if (branches.length - others.length > 1) return nothing;
        return others.reduce((rest, other) => this.#exclude(rest, other), this.product(forms, this.formsOf(satisfies(branch))));
      });
      forms = union(alone);
    }
    if (words['if'] === undefined) return forms;
    const condition = site.at('if');
    const [then, otherwise] = (['then', 'else'] as const).map((keyword) =>
      words[keyword] === undefined ? anything : this.formsOf(satisfies(site.at(keyword))),
    );
    const met = this.product(this.product(forms, this.formsOf(satisfies(condition))), then ?? anything);
    return union([met, this.product(this.#exclude(forms, condition), otherwise ?? anything)]);
  }

  /** The forms without the instances of a schema. Forms that share nothing with it stay as they are. */
  #exclude(forms: Forms, site: Site): Forms {
    const excluded = this.formsOf(satisfies(site));
    const isApart = (form: Alternative): boolean =>
      !excluded.isCut && excluded.list.every((other) => prune(meet(form, other)) === undefined);
    const apart = forms.list.filter(isApart);
    if (apart.length === forms.list.length) return forms;
    const touching = { list: forms.list.filter((form) => !apart.includes(form)), isCut: forms.isCut };
    return union([{ list: apart, isCut: forms.isCut }, this.product(touching, this.formsOf(fails(site)))]);
  }

  #depend(site: Site, before: Forms): Forms {
    let forms = before;
    for (const list of dependencies(site)) forms = this.product(forms, formOf(...list));
    for (const [name, schema] of site.map('dependentSchemas')) {
      const having = this.product(formOf(present([name])), this.formsOf(satisfies(schema)));
      forms = this.product(forms, union([formOf(without(site, name)), having]));
    }
    return forms;
  }

  /** Adds what is said of members and items that nothing else evaluated. With `isBroken`, the opposite, for one keyword. */
  #evaluate(site: Site, before: Forms, isBroken: boolean, keyword?: string): Forms {
    let forms = before;
    for (const [name, state] of [
      ['unevaluatedProperties', unevaluatedProperties] as const,
      ['unevaluatedItems', unevaluatedItems] as const,
    ]) {
      if (site.keywords[name] === undefined || (keyword !== undefined && keyword !== name)) continue;
      const stated = forms.list.map((form) => prune(meet(form, state(site, form, isBroken))));
      forms = { list: stated.filter((form) => form !== undefined), isCut: forms.isCut };
    }
    return forms;
  }

  /** The forms of instances that fail a schema: those that fail one of its keywords. */
  #failing(site: Site): Forms {
    if (typeof site.schema === 'boolean') return site.schema ? nothing : anything;
    const list = breachesOf(site)
      .map((breach) => prune(breach.alternative))
      .filter((form) => form !== undefined);
    const inPlace = partsInPlace(site).map((part) => this.formsOf(fails(part)));
    return union([formOf(...list), ...inPlace, ...this.failingChoices(site).map(({ forms }) => forms())]);
  }

  /** The ways to fail the keywords that choose among schemas, and those that look at what was evaluated. */
  failingChoices(site: Site): readonly FailingChoice[] {
    const { keywords: words } = site;
    const found: FailingChoice[] = [];
    const add = (keyword: string, change: string, forms: () => Forms): unknown => found.push({ keyword, change, forms });
    if (words['anyOf'] !== undefined) add('anyOf', 'is as none of the choices describes', () => this.joint(site.list('anyOf').map(fails)));
    if (words['oneOf'] !== undefined) {
      const branches = site.list('oneOf');
      add('oneOf', 'is as none of the choices describes', () => this.joint(branches.map(fails)));
      add('oneOf', 'is as two of the choices describe', () => union(pairs(branches).map((pair) => this.joint(pair.map(satisfies)))));
    }
    if (words['not'] !== undefined) add('not', 'is as it must not be', () => this.formsOf(satisfies(site.at('not'))));
    if (words['if'] !== undefined && words['then'] !== undefined)
      add('then', 'meets the condition and not what follows', () => this.joint([satisfies(site.at('if')), fails(site.at('then'))]));
    if (words['if'] !== undefined && words['else'] !== undefined)
      add('else', 'misses the condition and what is then asked', () => this.joint([fails(site.at('if')), fails(site.at('else'))]));
    for (const [name, schema] of site.map('dependentSchemas')) {
      const having = formOf(present([name]));
      add('dependentSchemas', `has ${name} and is not as that asks`, () => this.product(having, this.formsOf(fails(schema))));
    }
    for (const keyword of ['unevaluatedProperties', 'unevaluatedItems']) {
      if (words[keyword] === undefined) continue;
      const rest = omit(site, ['unevaluatedProperties', 'unevaluatedItems']);
      add(keyword, 'has a part that is not described', () => this.#evaluate(site, this.#satisfying(rest), true, keyword));
    }
    return found;
  }
}

/** One way to fail a keyword that joins schemas. */
interface FailingChoice {
  readonly keyword: string;
  /** What is wrong with such an instance, as a clause without a subject. */
  readonly change: string;
  readonly forms: () => Forms;
}

/** The same schema without some of its keywords. */
export function omit(site: Site, names: readonly string[]): Site {
  const rest = Object.fromEntries(Object.entries(site.keywords).filter(([name]) => !names.includes(name)));
  return site.variant(`without ${names.join(' ')}`, rest);
}

/** A schema that an instance fails evaluates none of its parts. */
function ghosts(forms: Forms): Forms {
  return { list: forms.list.map(ghost), isCut: forms.isCut };
}

function ghost(form: Alternative): Alternative {
  const { array, object } = form;
  if (array.scopes.length + array.demands.length + object.scopes.length === 0) return form;
  return {
    ...form,
    array: {
      ...array,
      scopes: array.scopes.map((scope) => ({ ...scope, evaluates: false })),
      demands: array.demands.map((demand) => ({ ...demand, evaluates: false })),
    },
    object: { ...object, scopes: object.scopes.map((scope) => ({ ...scope, evaluates: false })) },
  };
}

function pairs<T>(list: readonly T[]): readonly (readonly [T, T])[] {
  return list.flatMap((first, index) => list.slice(index + 1).map((second) => [first, second] as const));
}
