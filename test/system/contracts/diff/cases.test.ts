/** Labelled pairs of OpenAPI files from outside: breaking pairs are found, and no others are called breaking, apart from deliberate differences. */

import { describe, expect, test } from 'vitest';
import { compareContracts } from '../../../../contracts/diff/compare-contracts.ts';
import { readOutsideCases, withoutCases } from './outside-cases.ts';

const cases = readOutsideCases(process.env);

const sameFiles = 'Both files are the same; the difference was made in the code of the outside test, and is in neither.';
const fixed = 'The old file has an unreadable value, which the new file fixes. No client loses by it.';
const demanded = 'Whoever asked without a key was answered, and is refused now: that breaks, however new the demand is.';

const restrictsNothing = 'The added branch of allOf says what another branch says already, so every request that was allowed still is.';

const noLongerShown = 'A member that every response had becomes writeOnly: a client that reads it does not find it.';

/** Cases by name whose verdict differs from the label on purpose, with the reason. */
const differing: Readonly<Record<string, string>> = {
  TestResponseHeaderBecameNullable: sameFiles,
  TestResponseHeaderTypeChanged_StringDateTimeToInteger: sameFiles,
  TestResponseHeaderTypeChanged_IntegerToNumberIsGeneralized: sameFiles,
  TestListOfTypesIntegration_ParameterChanges: sameFiles,
  TestBreaking_InvalidStabilityLevelInBase: fixed,
  TestBreaking_SunsetModifiedFromInvalidForDeprecatedEndpoint: fixed,
  TestBreaking_SunsetModifiedFromInvalidForDeprecatedParameter: fixed,
  TestAPIGlobalSecurityyAdded: demanded,
  TestAPISecurityAdded: demanded,
  TestBreaking_RequestPropertyAllOfAdded: restrictsNothing,
  TestRequestPropertyAllOfAdded: restrictsNothing,
  TestRequestPropertyAllOfAdded_WithSources_Ref: restrictsNothing,
  TestBreaking_ReqBodyNewRequiredPropertyNew:
    'A member that is required is demanded, whether or not a schema tells what it looks like: a body without it is refused.',
  TestBreaking_RequiredPropertyWriteOnlyEnabled: noLongerShown,
  TestResponsePropertyPatternChanged: noLongerShown,
  TestBreaking_RequestBodyEnumRemoved:
    'The new file says `enum: []`, which is set aside with a warning as a mistake of the file, since no value could meet it; --strict refuses it.',
  TestRequestPropertyMarkedOptional:
    'The new file requires a member with an empty name, which the label overlooks: every body that was allowed before is refused.',
  TestWebhookOperationChangesDetected:
    'The server sends webhooks: a body that always comes surprises no client, and whoever reads it is no client that could be refused.',
  TestBreaking_RequestParameterMaxItemsWithoutFlatten:
    'Parameters of a path item count for each of its operations; the label holds for a mode of the outside tool that leaves them out.',
};

describe.skipIf(cases.length === 0)(`outside pairs of files (${withoutCases} when skipped)`, async () => {
  const judged = await Promise.all(
    cases.map(async (each) => {
      const { count } = await compareContracts(each.base, each.revision, { today: '2026-11-21', acceptances: [] });
      return { name: each.name, isLabelled: each.label === 'breaking', isFound: count.breaking > 0 };
    }),
  );
  const others = judged.filter(({ name }) => !(name in differing));
  const shareFound = (isLabelled: boolean): { readonly found: number; readonly all: number } => {
    const some = others.filter((each) => each.isLabelled === isLabelled);
    return { found: some.filter(({ isFound }) => isFound).length, all: some.length };
  };

  test('the labels agree with the results', () => {
    expect(others.filter(({ isLabelled, isFound }) => isLabelled !== isFound).map(({ name }) => name)).toEqual([]);
  });

  test('at least 93 % of the breaking pairs are found, and at most 5 % of the others are called breaking', () => {
    const [breaking, harmless] = [shareFound(true), shareFound(false)];
    console.log(
      `${breaking.found} of ${breaking.all} breaking pairs were found, ${harmless.found} of ${harmless.all} others called breaking; ` +
        `${Object.keys(differing).length} pairs are judged otherwise on purpose`,
    );
    expect(breaking.found / breaking.all).toBeGreaterThanOrEqual(0.93);
    expect(harmless.found / harmless.all).toBeLessThanOrEqual(0.05);
  });

  test.each(Object.keys(differing))('deliberately different: %s', (name) => {
    const [found, ...more] = judged.filter((each) => each.name === name);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ isFound: !(found?.isLabelled ?? true) });
  });
});
