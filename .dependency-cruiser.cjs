/**
 * The house as rules: which room may import which, and by which door each outside library comes in.
 * `npm run check` enforces them and test/integration/architecture proves that each one fires. A new room or a new library needs a line here.
 */

/** Each room with the rooms below it. Arrows point only downwards. */
const floors = {
  core: [],
  generators: ['core'],
  mocks: ['core', 'generators'],
  contracts: ['core', 'generators'],
  reports: ['core'],
  cli: ['core', 'generators', 'mocks', 'contracts', 'reports'],
  test: ['core', 'generators', 'mocks', 'contracts', 'reports', 'cli'],
};

/** Files that re-export for users of the package. Tests may import them, rooms never do: a face that is imported inside closes a circle. */
const faces = [
  'index\\.ts',
  'mocks/index\\.ts',
  'mocks/control/index\\.ts',
  'contracts/(verify|diff|pact|vitest)/index\\.ts',
  'generators/index\\.ts',
];

/** The files of the mock that listen on, or write to, a socket. */
const mockNetworkFiles = [
  'mocks/server/server\\.ts',
  'mocks/server/send-response\\.ts',
  'mocks/control/socket\\.ts',
  'mocks/server/request-body-reader\\.ts',
];

/** What comes in from outside, and the only files that may let it in. Tests walk freely. */
const doors = [
  { name: 'yaml', to: packages('yaml'), only: ['core/openapi/yaml\\.ts'] },
  { name: 'json', to: packages('jsonc-parser'), only: ['core/openapi/json-text\\.ts'] },
  {
    name: 'ajv',
    to: packages('ajv', 'ajv-formats'),
    only: ['core/openapi/validator\\.ts', 'core/openapi/schema-violation\\.ts', 'core/openapi/formats\\.ts'],
  },
  { name: 're2', to: packages('re2js'), only: ['core/bounded-expression\\.ts'] },
  { name: 'prism', to: packages('@stoplight/[^/]+', 'fp-ts'), only: ['mocks/handler/prism\\.ts', 'mocks/handler/negotiation\\.ts'] },
  { name: 'pact', to: packages('@pact-foundation/[^/]+'), only: ['contracts/pact/verify/.+'] },
  { name: 'comparator', to: packages('@pactflow/[^/]+'), only: ['contracts/pact/check/comparator\\.ts'] },
  { name: 'vitest', to: packages('vitest', '@vitest/[^/]+'), only: ['contracts/vitest/describe-contract\\.ts'] },
  {
    name: 'fast-check',
    to: packages('fast-check'),
    only: ['generators/.+', 'contracts/verify/engine/random-requests\\.ts', 'contracts/diff/witnesses/candidate-records\\.ts'],
  },
  { name: 'processes', to: nodeModules('child_process'), only: ['cli/diff/git\\.ts', 'contracts/pact/verify/pact-process\\.ts'] },
  {
    name: 'disk',
    to: nodeModules('fs', 'fs/promises'),
    only: ['core/text-file\\.ts', 'core/pact/pact-folder\\.ts', 'core/shipped\\.ts', 'contracts/pact/verify/pact-process\\.ts', 'cli/.+'],
  },
  {
    name: 'network',
    to: nodeModules('http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns', 'dns/promises'),
    only: [...mockNetworkFiles, 'contracts/verify/target/target-(address|exchange)\\.ts'],
  },
];

/** What tests may import besides the rooms: the faces, the data, the build. */
const testReach = [`^(${faces.join('|')})$`, '^specs/', '^dist/', '^package\\.json$', '^\\.dependency-cruiser\\.cjs$'];

const rooms = Object.keys(floors);
const insideRooms = rooms.filter((room) => room !== 'test');
const inside = `^(${insideRooms.join('|')})/`;
/** Everything that ships: the rooms and the faces over them. */
const shipped = `^((${insideRooms.join('|')})/|(${faces.join('|')})$)`;

/** Where every use of the package begins. */
const entries = `^(${[...faces, 'cli/main\\.ts'].join('|')})$`;

/** A path expression for installed packages; unresolved names match too, so an uninstalled package does not slip past its door. */
function packages(...names) {
  return `(^|node_modules/)(${names.join('|')})(/|$)`;
}

/** A path expression for modules of Node.js itself. */
function nodeModules(...names) {
  return `^(node:)?(${names.join('|')})$`;
}

/** A room imports itself and the rooms of its row; anything else inside the repository is out of reach, `specs/` and the faces included. */
function floorRules() {
  return Object.entries(floors).map(([room, below]) => ({
    name: `floor-${room}`,
    comment: `${room}/ may import only ${[room, ...below].join(', ')}; see ARCHITECTURE.md.`,
    severity: 'error',
    from: { path: `^${room}/` },
    to: { dependencyTypes: ['local'], pathNot: [`^(${[room, ...below].join('|')})/`, ...(room === 'test' ? testReach : [])] },
  }));
}

/** One rule per door: nothing that ships reaches the library except through the named files. */
function doorRules() {
  return doors.map(({ name, to, only }) => ({
    name: `door-${name}`,
    comment: `${name} comes in only through ${only.join(', ').replaceAll('\\', '')}.`,
    severity: 'error',
    from: { path: shipped, pathNot: `^(${only.join('|')})$` },
    to: { path: to },
  }));
}

module.exports = {
  forbidden: [
    ...floorRules(),
    ...doorRules(),
    {
      name: 'no-library-without-door',
      comment: 'Each outside library has one door: name it in the table of doors.',
      severity: 'error',
      from: { path: shipped },
      to: { dependencyTypes: ['npm', 'npm-optional', 'npm-peer'], pathNot: doors.map((door) => door.to) },
    },
    {
      name: 'no-undeclared-library',
      comment: 'A package that is imported is declared in package.json; what ships uses no development dependency, not even its types.',
      severity: 'error',
      from: { path: shipped },
      // What a user brings is developed with here, and declared to them.
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'no-prism-generator',
      comment:
        'Of prism-http only the negotiation is imported: its mocker and its readers of files bring a generator along, which takes seconds to load.',
      severity: 'error',
      from: { path: shipped },
      to: {
        path: packages('@stoplight/prism-http', '@stoplight/prism-http-server', '@stoplight/prism-cli', '@stoplight/http-spec'),
        pathNot: '@stoplight/prism-http/dist/mocker/negotiator/NegotiatorHelpers\\.',
      },
    },
    {
      name: 'no-import-of-a-face',
      comment: 'Faces are for users of the package; inside, import the file that has the thing.',
      severity: 'error',
      from: { path: shipped },
      to: { path: `^(${faces.join('|')})$` },
    },
    {
      name: 'no-unplanned-room',
      comment: 'Code stands in one of the rooms, or is a face; a new room needs its row in the table of floors.',
      severity: 'error',
      from: {
        path: '\\.[cm]?[jt]s$',
        pathNot: [`^(${rooms.join('|')})/`, `^(${faces.join('|')})$`, '^examples/', '^[^/]+\\.config\\.ts$', '^\\.', 'node_modules/'],
      },
      to: {},
    },
    {
      name: 'independent-second-server',
      comment: 'The second server is judged by the verifier, so it shares no code with it: it imports its own folder and Node.js only.',
      severity: 'error',
      from: { path: '^test/second/' },
      to: { pathNot: '^test/second/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'independent-scenarios',
      comment: 'Scenarios state literal values of the documents: their language reads no contract and shares no code with the project.',
      severity: 'error',
      from: { path: '^test/scenario/' },
      to: { dependencyTypes: ['local'], pathNot: '^test/scenario/' },
    },
    {
      name: 'examples-use-the-package',
      comment: 'Examples are written as users write: they import the package by its name, and nobody imports them.',
      severity: 'error',
      from: { path: '^examples/' },
      to: { dependencyTypes: ['local'], pathNot: '^(examples|dist)/' },
    },
    { name: 'no-import-of-examples', severity: 'error', from: { pathNot: '^examples/' }, to: { path: '^examples/' } },
    { name: 'no-import-of-tests', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
    { name: 'no-cycle', comment: 'Cycles of types count too.', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-dead-file',
      comment: 'What neither a face nor the command line reaches, nobody can use; a test alone does not keep it alive.',
      severity: 'error',
      from: { path: entries },
      to: { path: inside, pathNot: entries, reachable: false },
    },
    {
      name: 'no-orphan',
      comment: 'A file that imports nothing and that nobody imports is dead, also among the tests.',
      severity: 'error',
      from: { orphan: true, path: '\\.ts$', pathNot: ['\\.test\\.ts$', '\\.config\\.ts$', '\\.d\\.ts$'] },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: '(^|/)node_modules/' },
    // Jest is installed only where its example runs.
    exclude: { path: '^(dist|\\.touchstone|examples/jest)/' },
    // Without this, imports that exist only for the type checker would be invisible.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json', '.d.ts'],
    },
  },
};
