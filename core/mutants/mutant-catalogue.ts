/**
 * The catalogue of mutants: every wrong reading of a rule that the mock can serve or that the verifier can tell from the truth, below the rule that
 * reports it. A title is a clause that stands after "it behaves as if"; names in braces are filled in for a place of a contract.
 */

import type { RuleId } from '../results/rule-id.ts';

const titles = {
  'keys/missing': {
    'missing-key-accepted': 'a request without a key is enough',
    'empty-key-accepted': 'an empty key is enough',
  },
  'keys/unknown': {
    'unknown-key-accepted': 'a key that was never issued is enough',
    'key-case-ignored': 'keys are compared without regard to upper and lower case',
    'key-beginning-accepted': 'the beginning of a key is as good as the whole key',
  },
  'keys/expired': { 'expired-key-accepted': 'an expired key is enough' },
  'keys/carriers': {
    'carrier-ignored': 'a key that comes as {carrier} is not read',
    'carrier-of-other-key': 'a key that comes as {carrier} is another key',
  },
  'keys/scopes': {
    'scope-unchecked': 'a key without the scope {scope} is enough',
    'scope-confused': 'the scope {other} is asked for instead of {scope}',
    'scope-lacking-unauthenticated': 'a key that lacks the scope is answered with 401 instead of 403',
    'scope-lacking-absent': 'a key that lacks the scope is answered with 404 instead of 403',
  },
  'keys/conditional': {
    'unchanged-before-key': 'a current tag is enough with {key}',
    'unchanged-skips-key': 'with If-None-Match no key is asked for',
  },
  'keys/none-needed': { 'key-demanded': 'a key is asked for, although none is needed' },
  'tenancy/single': {
    'foreign-record-shown': "everybody's records can be read by {parameter}",
    'foreign-record-told': 'a record of another tenant is answered otherwise than one that does not exist',
    'foreign-record-forbidden': 'a record of another tenant is answered with 403, so that one learns that it exists',
    'foreign-record-unchanged': 'the tag of a record of another tenant is answered with 304',
  },
  'tenancy/lists': {
    'foreign-records-listed': 'the list has the records of all tenants',
    'foreign-records-filtered': 'the list has the records of all tenants as soon as {parameter} is given',
  },
  'tenancy/named': { 'first-tenant-for-all': 'a key gets what belongs to another tenant' },
  'tenancy/cursor': { 'foreign-cursor-accepted': "a cursor of another tenant goes on with that tenant's records" },
  'conditional/tag': { 'tag-missing': 'a success has no ETag' },
  'conditional/unchanged': {
    'unchanged-never': 'the header If-None-Match is ignored',
    'unchanged-as-empty-success': 'a current tag is answered with an empty 200 instead of 304',
  },
  'conditional/bare': {
    'unchanged-other-tag': 'a 304 carries another tag than the current one',
    'unchanged-with-body': 'a 304 has a body',
  },
  'conditional/changed': {
    'unchanged-always': 'any If-None-Match is answered with 304',
    'unchanged-any-record': 'the tag of any record is as good as its own',
    'tag-frozen': 'the tag stays as it was when the content changes',
  },
  'conditional/per-content': {
    'tag-constant': 'all records have the same tag',
    'tag-by-version': 'the tag follows from the time of the last change alone',
  },
  'conditional/stable': { 'tag-per-answer': 'each answer has another tag, although nothing has changed' },
  'conditional/failures': {
    'absent-as-unchanged': 'a record that does not exist is answered with 304 to a request with If-None-Match',
    'invalid-as-unchanged': 'an invalid identifier is answered with 304 to a request with If-None-Match',
  },
  'filters/sound': {
    'filter-ignored': '{parameter} is ignored, and every record comes',
    'filter-value-mixed': '{parameter}={value} gives the records of {other} too',
  },
  'filters/complete': { 'filter-value-lost': 'records that pass {filter} are left out' },
  'filters/union': {
    'filter-first-only': 'only the first of several values of {parameter} counts',
    'filter-last-only': 'only the last of several values of {parameter} counts',
    'filter-whole-text': 'several values of {parameter} count as one text',
  },
  'filters/conjunction': {
    'filters-either': '{parameter} and {other} together give what passes either of them',
    'filter-ignored-beside-other': '{parameter} is ignored beside {other}',
    'filter-beside-search-ignored': 'a filter does not count beside a search',
    'search-beside-filter-ignored': 'a search does not count beside a filter',
  },
  'filters/values': { 'filter-value-refused': '{parameter}={value} is refused, although it is a listed value' },
  'filters/unknown-value': {
    'filter-unknown-ignored': 'an unknown value of {parameter} is ignored, and every record comes',
    'filter-unknown-empty': 'an unknown value of {parameter} gives an empty list instead of a refusal',
  },
  'filters/partition': { 'filter-value-hidden': 'the list hides the records of {value} unless {parameter} asks for them' },
  'filters/no-match': { 'no-match-refused': 'filters that match nothing are an error' },
  'filters/explored': {
    'filter-members-capped': 'only the first three of many values of {parameter} count',
    'filter-third-ignored': '{parameter} is ignored beside two other filters or more',
  },
  'ranges/inclusive': {
    'exclusive-lower': '{parameter} leaves out records whose {field} equals the bound',
    'exclusive-upper': '{parameter} leaves out records whose {field} equals the bound',
    'bound-included': '{parameter} gives records whose {field} equals the bound',
  },
  'ranges/one-sided': {
    'bound-ignored': '{parameter} is ignored, and every record comes',
    'bound-ignored-alone': '{parameter} is ignored without {other}',
  },
  'ranges/single-day': {
    'single-day-refused': '{parameter} and {other} must not be equal',
    'single-day-empty': 'a range whose ends are equal has nothing in it',
  },
  'ranges/empty': {
    'empty-range-refused': 'a range in which nothing lies is an error',
    'empty-range-widened': 'a range in which nothing lies gives every record',
  },
  'ranges/inverted': {
    'inverted-range-empty': '{parameter} and {other} in the wrong order give an empty list instead of a refusal',
    'inverted-range-swapped': '{parameter} and {other} in the wrong order are swapped instead of refused',
  },
  'ranges/impossible': {
    'impossible-ignored': 'an impossible value of {parameter} is ignored, and every record comes',
    'impossible-rolled-over': 'an impossible day in {parameter}, such as 30 February, is read as a day of the next month',
    'day-month-ignored': 'a value of {parameter} with a thirteenth month counts as none',
    'day-compact-ignored': 'a value of {parameter} without dashes counts as none',
  },
  'ranges/own-field': {
    'bound-on-version': '{parameter} compares the day of the last change instead of {field}',
    'bound-in-utc': '{parameter} compares the day of {field} in UTC',
    'bound-by-day': '{parameter} compares only the day of {field}',
    'bound-as-text': '{parameter} compares {field} as text, whatever the offset',
    'bound-by-wall-clock': '{parameter} compares {field} without regard to the offset',
  },
  'sync/inclusive': {
    'checkpoint-exclusive': '{parameter} leaves out a record that changed at that very time',
    'checkpoint-ties-first': 'only the first of several records that changed at the time of {parameter} comes',
    'checkpoint-ties-last': 'only the last of several records that changed at the time of {parameter} comes',
  },
  'sync/sound': { 'checkpoint-ignored': '{parameter} is ignored, and every record comes' },
  'sync/offsets': {
    'checkpoint-as-text': '{parameter} is compared as text, whatever its offset',
    'checkpoint-by-wall-clock': '{parameter} is compared without regard to its offset',
  },
  'sync/within-day': { 'checkpoint-by-day': '{parameter} counts to the day only' },
  'sync/fractions': {
    'checkpoint-rounded-to-minute': 'a value of {parameter} with a fraction is rounded up to the next minute',
    'checkpoint-rounded-to-second': 'a value of {parameter} with a fraction is rounded up to the next second',
    'checkpoint-digits-as-milliseconds': 'the digits of a fraction in {parameter} are a number of milliseconds',
  },
  'sync/later-pages': { 'checkpoint-lost': '{parameter} holds on the first page only' },
  'sync/closure': {
    'checkpoint-reach-limited': '{parameter} reaches back a week at most, and older changes are lost',
    'changes-lost': 'a client that goes on from a checkpoint loses records',
    'change-unmarked': 'the time of the last change stays as it was when the record changes',
  },
  'sync/malformed': {
    'checkpoint-malformed-ignored': 'a value of {parameter} that is no time is ignored, and every record comes',
    'checkpoint-malformed-empty': 'a value of {parameter} that is no time gives an empty list instead of a refusal',
    'checkpoint-hour-ignored': 'a value of {parameter} with a twenty-fifth hour counts as none',
    'checkpoint-seconds-ignored': 'a value of {parameter} in seconds since 1970 counts as none',
  },
  'sync/future': { 'checkpoint-future-ignored': 'a value of {parameter} in the future gives every record' },
  'paging/limit-size': { 'page-too-large': 'a page has one record more than was asked for' },
  'paging/limit-default': { 'default-limit-other': 'a page without {parameter} has another size than the default' },
  'paging/next-cursor': {
    'next-cursor-missing': 'a page that promises another one has no cursor for it',
    'next-cursor-refused': 'the cursor that was just given is not accepted',
    'more-unsaid': 'a page does not say whether another one follows',
  },
  'paging/complete': {
    'edge-skipped': 'records are lost between two pages',
    'last-record-lost': 'the last record of a list of several pages never comes',
    'large-page-gaps': 'large pages leave records out',
    'more-denied-with-filter': 'no page promises another one as soon as a filter is given',
  },
  'paging/once': { 'edge-repeated': 'a page begins with records of the page before' },
  'paging/ties': {
    'tie-skipped': '{cursor}, and goes on after all of them',
    'tie-repeated': '{cursor}, and goes on with the first of them',
    'cursor-truncated': 'a cursor keeps its time without the seconds, so that the next page begins elsewhere',
  },
  'paging/page-sizes': {
    'small-pages-end': 'a list ends after two pages when they are smaller than ten',
    'pages-of-one-lose': 'pages of one record lose some',
    'odd-pages-lose': 'a last page that is not full loses records',
    'full-page-loses': 'a page that just holds everything loses records',
  },
  'paging/limit-bounds': {
    'limit-maximum-lower': '{parameter}={value} is refused, although it is the maximum',
    'limit-maximum-higher': 'a {parameter} above the maximum of {value} is accepted',
    'limit-clamped': 'a {parameter} out of range is moved into it instead of refused',
    'limit-empty': 'a {parameter} out of range gives an empty list instead of a refusal',
    'limit-text-ignored': 'a value of {parameter} without a digit counts as none',
    'limit-negative-ignored': 'a value of {parameter} below zero counts as none',
    'limit-fraction-ignored': 'a value of {parameter} with a fraction counts as none',
    'limit-huge-ignored': 'a value of {parameter} of more than five digits counts as none',
  },
  'paging/exact-multiple': { 'more-by-size': 'a full page always promises another one, also when it is the last' },
  'paging/filters-kept': { 'filter-lost': '{parameter} holds on the first page only' },
  'paging/damaged-cursor': {
    'damaged-cursor-restarts': '{cursor} gives the first page',
    'damaged-cursor-empty': 'a damaged cursor gives an empty page',
  },
  'paging/progress': {
    'pages-endless': 'every page promises another one, without end',
    'cursor-circles': 'the cursor leads back to where it came from',
  },
  'order/within': {
    'order-reversed': 'records are not sorted by {field}, or the other way round',
    'tie-order-reversed': '{field} does not break ties, or the other way round',
    'order-by-key': 'records come in the order of {field} alone',
  },
  'order/across': { 'order-across-lost': 'the second page of a list comes after the third' },
  'details/agree': {
    'detail-state-differs': 'the single read shows another {field} than the list',
    'detail-version-older': 'the single read shows an older {field} than the list',
  },
  'details/reachable': { 'listed-record-absent': 'some records of the list are 404 when they are read alone' },
  'details/same-place': { 'place-varies': 'some records stand at another place of the body than others' },
  'details/alternatives': {
    'alternative-absent': 'nothing is found by {parameter}',
    'alternative-other-record': 'another record is found by {parameter}, or another state of it',
  },
  'details/absent': {
    'absent-as-first': 'a name that does not exist finds some other record',
    'absent-as-empty': 'a name that does not exist is a success without a record',
    'absent-as-other-failure': 'a name that does not exist is another failure',
  },
  'details/identifier': {
    'identifier-unbounded': 'a value of {parameter} below {value} is 404 instead of refused',
    'identifier-malformed-absent': 'a value of {parameter} that is no number is 404 instead of refused',
    'identifier-huge-error': 'a value of {parameter} of many digits leads to a server error',
    'identifier-trailing-text': 'whatever follows the digits of {parameter} is overlooked',
    'identifier-sign-dropped': 'the sign before {parameter} is overlooked',
  },
  'details/exactly-one': {
    'choice-unchecked': '{parameter} and {other} may be given together, or not at all',
    'choice-first-wins': 'when {parameter} and {other} are given together, the first counts',
  },
  'details/whole-key': {
    'identifier-beginning': 'the beginning of {parameter} finds its record',
    'identifier-continued': '{parameter} with something after it finds its record',
  },
  'details/encoded': { 'identifier-still-encoded': '{parameter} with percent-encoding is not found' },
  'details/hostile': {
    'identifier-hostile-error': '{text} leads to a server error',
    'identifier-hostile-match': '{text} finds a record that it does not name',
  },
  'details/views': {
    'view-absent': 'this view is absent, although the thing itself is there',
    'view-present': 'this view is there, although the thing itself is absent',
  },
  'requests/malformed': {
    'array-parameter-error': 'a query with an array, such as id[]=1, leads to a server error',
    'cut-encoding-error': 'a query with cut-off percent-encoding leads to a server error',
  },
  'response/schema': {
    'field-missing': '{field} is missing',
    'field-of-other-type': '{field} has another type',
    'field-of-unknown-value': '{field} has a value that is not listed',
    'field-of-other-format': '{field} is written in another format',
    'field-of-detail': '{field} is shown, although only the single read has it',
    'constant-other': '{field} is not {value}',
    'body-other': 'successes have another shape',
  },
  'response/status': {
    'status-undocumented': 'a success has a status that is not documented',
    'failure-status-undocumented': 'a failure has a status that is not documented',
  },
  'response/no-server-error': {
    'usual-request-error': 'usual requests lead to server errors',
    'unusual-request-error': 'unusual requests lead to server errors',
    'odd-text-error': 'odd characters in a request lead to a server error with a stack trace',
    'invalid-as-error': 'an invalid parameter leads to a server error instead of a refusal',
    'damaged-cursor-error': 'a damaged cursor leads to a server error',
  },
  'response/headers': { 'tag-unquoted': 'the ETag has no quotes', 'headers-other': 'answers have other headers' },
  'response/content-type': {
    'content-type-plain': 'JSON comes as text/plain',
    'content-type-other': 'answers have another media type',
  },
  'response/error-envelope': {
    'envelope-missing': 'a {status} has a body of another shape',
    'envelope-other': 'failures have another shape',
    'failure-html': 'failures are pages of HTML',
    'failure-empty': 'failures have no body',
    'failure-flattened': 'the members of {field} in a failure stand at the top instead',
    'failure-message-missing': 'a failure has no message',
    'request-id-empty': 'the identifier of a failure is empty',
  },
  'response/error-code': {
    'code-other': '{failure} carries a code that is not documented',
    'code-lower-case': 'codes of failures are written in lower case',
  },
  'response/request-id': { 'request-id-constant': 'all failures have the same identifier' },
  'response/no-key': {
    'key-echoed': 'the message of a failure repeats the key that was sent',
    'key-echoed-in-base64': 'the message of a failure repeats the key that was sent, in base64',
    'key-echoed-percent-encoded': 'the message of a failure repeats the key that was sent, percent-encoded',
    'key-echoed-in-header': 'a header of each answer repeats the key that was sent',
    'key-in-success': 'successes show keys that were sent',
    'key-in-failure': 'failures show keys that were sent',
  },
  'response/no-credential': {
    'provider-secret-shown': 'the answer carries the secret key of a payment provider',
    'provider-reference-shown': 'a record carries the reference of a payment provider',
    'credential-shown': 'an answer shows a credential of another service',
  },
  'availability/retry-after': { 'retry-after-missing': 'a 429 does not say when to come back' },
  'availability/not-ready': { 'not-ready-other': 'a 503 has a shape of its own' },
  'pages/defaults': {
    'default-limit-other': 'a page without {parameter} has another size than the default',
    'default-page-other': 'another page than the first comes without {parameter}',
  },
  'pages/echo': {
    'limit-echo-constant': '{field} always says the same, whatever was asked for',
    'page-echo-constant': '{field} always says the same, whatever was asked for',
  },
  'pages/limit-size': {
    'page-too-large': 'a page has one record more than was asked for',
    'limit-doubled': 'a page has twice as many records as {parameter} says',
    'limit-ignored': 'the page size is ignored',
  },
  'pages/numbers': {
    'number-malformed-error': 'a {parameter} that is no number leads to a server error',
    'number-negative-error': 'a negative {parameter} leads to a server error',
    'number-zero-error': 'a {parameter} of 0 leads to a server error',
  },
  'pages/partition': {
    'page-overlap': 'some records stand on two pages',
    'page-gap': 'some records stand on no page',
    'page-last-short': 'the last record of the last page never comes',
    'pages-from-zero': 'pages are counted from 0, so that page 1 is the second one',
    'page-number-ignored': 'the number of the page is ignored, and the first page comes each time',
  },
  'pages/page-sizes': {
    'large-page-gaps': 'large pages leave records out',
    'end-unreachable': 'the end of the list cannot be reached with every page size',
    'page-shifted': 'the beginning of a page does not follow from its size',
  },
  'pages/order': { 'order-alternates': 'the order changes from one reading to the next' },
  'pages/beyond': {
    'beyond-first-page': 'a page past the end is the first one again',
    'beyond-page-error': 'a page past the end leads to a server error',
    'beyond-other-records': 'a page past the end has records from elsewhere',
  },
  'pages/total': {
    'total-of-page': 'the total is the number of records on the page',
    'total-off-by-one': 'the total is one too high',
    'total-other': 'the total counts something that the list does not show',
    'total-filtered-other': 'the total of a filtered list is yet another number',
  },
  'visible/lists': {
    'level-shown': 'records whose {field} is {value} are shown to everybody',
    'hidden-listed': 'the list shows hidden records',
  },
  'visible/count': { 'hidden-counted': 'the total counts hidden records' },
  'visible/search': {
    'hidden-found': 'searching finds hidden records',
    'hidden-found-count': 'searching counts hidden records',
  },
  'visible/single': {
    'hidden-read': 'a hidden record can be read by whoever knows its name',
    'hidden-in-failure': 'the failure for a hidden record shows its content',
  },
  'search/narrows': {
    'search-ignored': '{parameter} is ignored, and every record comes',
    'search-falls-back': 'a search that nothing matches gives every record',
    'search-one-letter': 'only the first letter of {parameter} counts',
  },
  'search/finds': {
    'search-finds-nothing': 'a search never finds anything',
    'search-whole-text-only': '{parameter} finds a record only when it is the whole of {field}',
  },
  'watch/changed-at': { 'version-backwards': 'the time of the last change can go back' },
  'watch/late-arrivals': { 'arrival-late': 'a change can come with a time that was passed before' },
} as const;

/** Mutants of single requests, which rules of several groups share. */
const requestTitles = {
  accepted: '{request} is right',
  refused: '{request} is not allowed',
  'value-error': 'a value that makes no sense leads to a server error',
  unchecked: 'the rule does not hold',
} as const;

type Titles = typeof titles;

/** A rule that has mutants; `never` when some kinds stand below a rule that does not exist. */
export type MutatedRule = Exclude<keyof Titles, RuleId> extends never ? keyof Titles : never;

/** The kinds of mutants of a rule. */
export type MutantKindOf<Rule extends MutatedRule> = Rule extends MutatedRule ? keyof Titles[Rule] & string : never;

/** A kind of mutants that rules share. */
export type SharedKind = keyof typeof requestTitles;

/** A kind of mutants: one word for a wrong reading, whatever the place. */
export type MutantKind = MutantKindOf<MutatedRule> | SharedKind;

/** The id of a mutant: `KIND:PLACE`, or `KIND` where the place is the operation under test. */
export type MutantId = MutantKind | `${MutantKind}:${string}`;

/** Words of a contract for the braces of a title. */
export type TitleWords = Readonly<Record<string, string | number>>;

/** A wrong reading of a rule by its name. */
export interface MutantIdentity {
  readonly id: MutantId;
  /** A clause that stands after "it behaves as if". */
  readonly title: string;
}

/** A mutant of a rule; `place` tells several of one kind apart. */
export function mutantOf<Rule extends MutatedRule>(
  rule: Rule,
  kind: MutantKindOf<Rule>,
  words: TitleWords = {},
  place?: string,
): MutantIdentity {
  const own: Readonly<Record<string, string>> = titles[rule];
  return { id: place === undefined ? kind : `${kind}:${place}`, title: fill(own[kind] ?? '', words) };
}

/** The rule that reports a kind of mutant; `undefined` for a kind that rules share. */
export function ruleOfMutant(kind: string): RuleId | undefined {
  return (Object.keys(titles) as (keyof typeof titles)[]).find((rule) => Object.hasOwn(titles[rule], kind));
}

/** A mutant that rules share; `request` is the noun that its title is about: `limit=101`. */
export function requestMutant(kind: SharedKind, request?: string): MutantIdentity {
  const title = fill(requestTitles[kind], request === undefined ? {} : { request });
  return { id: request === undefined ? kind : `${kind}:${request}`, title };
}

function fill(template: string, words: TitleWords): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const word = words[name];
    if (word === undefined) throw new TypeError(`the title "${template}" needs the word ${name}`);
    return String(word);
  });
}
