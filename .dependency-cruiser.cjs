/**
 * Architecture rules: the permitted imports between modules, and the adapter files of each outside library.
 * `npm run check` enforces them, and test/integration/architecture shows that each one fires. A new module or library needs a line here.
 */

/** Top-level folders, each with the folders that it may import. */
const layers = {
  core: [],
  generators: ['core'],
  mocks: ['core', 'generators'],
  contracts: ['core', 'generators'],
  reports: ['core'],
  cli: ['core', 'generators', 'mocks', 'contracts', 'reports'],
  test: ['core', 'generators', 'mocks', 'contracts', 'reports', 'cli'],
};

/** Entry points of the package. Tests may import them; modules must not, because that would create a cycle. */
const entryPoints = [
  'index\\.ts',
  'mocks/index\\.ts',
  'mocks/control/index\\.ts',
  'contracts/(verify|diff|pact|vitest)/index\\.ts',
  'generators/index\\.ts',
];

/** Files of the mock that use sockets. */
const mockNetworkFiles = [
  'mocks/server/server\\.ts',
  'mocks/server/response-sender\\.ts',
  'mocks/control/control-http-adapter\\.ts',
  'mocks/proxy/forwarder\\.ts',
  'mocks/server/read-request-body\\.ts',
];

/** Outside libraries, each with the only files that may import it. Tests may import all of them. */
const adapters = [
  { name: 'yaml', to: packages('yaml'), only: ['core/openapi/loading/yaml\\.ts'] },
  { name: 'json-path', to: packages('json-p3'), only: ['core/openapi/loading/json-path\\.ts'] },
  { name: 'json', to: packages('jsonc-parser'), only: ['core/openapi/loading/json-parser\\.ts'] },
  {
    name: 'ajv',
    to: packages('ajv', 'ajv-formats'),
    only: ['core/openapi/ajv/.+', 'core/openapi/validator\\.ts', 'core/openapi/formats\\.ts'],
  },
  { name: 're2', to: packages('re2js'), only: ['core/safe-regexp\\.ts'] },
  {
    name: 'prism',
    to: packages('@stoplight/[^/]+', 'fp-ts'),
    only: ['mocks/handler/prism/.+'],
  },
  { name: 'xml', to: packages('fast-xml-parser'), only: ['mocks/handler/values/to-xml\\.ts'] },
  { name: 'pact', to: packages('@pact-foundation/[^/]+'), only: ['contracts/pact/verify/.+'] },
  { name: 'vitest', to: packages('vitest', '@vitest/[^/]+'), only: ['contracts/vitest/describe-contract\\.ts'] },
  {
    name: 'fast-check',
    to: packages('fast-check'),
    only: [
      'generators/.+',
      'contracts/verify/evidence/random-request-values\\.ts',
      'contracts/verify/explore/.+',
      'contracts/diff/witnesses/annotation-candidates\\.ts',
    ],
  },
  {
    name: 'processes',
    to: nodeModules('child_process'),
    only: [
      'cli/diff/git\\.ts',
      'cli/client/client-process\\.ts',
      'cli/credentials\\.ts',
      'contracts/pact/verify/pact-verifier-process\\.ts',
    ],
  },
  {
    name: 'disk',
    to: nodeModules('fs', 'fs/promises'),
    only: [
      'core/read-text-file\\.ts',
      'core/pact/read-pacts\\.ts',
      'core/shipped-files\\.ts',
      'contracts/pact/verify/pact-verifier-process\\.ts',
      'cli/.+',
    ],
  },
  {
    name: 'network',
    to: nodeModules('http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns', 'dns/promises'),
    // describe-http-status.ts takes the names of the status codes.
    only: [
      ...mockNetworkFiles,
      'contracts/verify/target/(target-address|send-one-request|connections|choose-proxy)\\.ts',
      'reports/describe-http-status\\.ts',
    ],
  },
];

/** Additional imports of tests: the entry points, the data and the build. */
const testReach = [`^(${entryPoints.join('|')})$`, '^specs/', '^dist/', '^package\\.json$', '^\\.dependency-cruiser\\.cjs$'];

const modules = Object.keys(layers);
const shippedModules = modules.filter((folder) => folder !== 'test');
const inside = `^(${shippedModules.join('|')})/`;
/** All shipped files: modules and entry points. */
const shipped = `^((${shippedModules.join('|')})/|(${entryPoints.join('|')})$)`;

/** Files that users start from: entry points and the command line. */
const reachableFrom = `^(${[...entryPoints, 'cli/main\\.ts'].join('|')})$`;

/** A path expression for installed packages; unresolved names match too, so that an uninstalled package cannot evade its rule. */
function packages(...names) {
  return `(^|node_modules/)(${names.join('|')})(/|$)`;
}

/** A path expression for modules of Node.js itself. */
function nodeModules(...names) {
  return `^(node:)?(${names.join('|')})$`;
}

/** One rule per module: it may import itself and the modules of its row, but not `specs/` or an entry point. */
function layerRules() {
  return Object.entries(layers).map(([folder, below]) => ({
    name: `layer-${folder}`,
    comment: `${folder}/ may import only ${[folder, ...below].join(', ')}; see ARCHITECTURE.md.`,
    severity: 'error',
    from: { path: `^${folder}/` },
    to: { dependencyTypes: ['local'], pathNot: [`^(${[folder, ...below].join('|')})/`, ...(folder === 'test' ? testReach : [])] },
  }));
}

/** One rule per library: shipped files may import it only in its adapter files. */
function adapterRules() {
  return adapters.map(({ name, to, only }) => ({
    name: `adapter-${name}`,
    comment: `Only ${only.join(', ').replaceAll('\\', '')} may import ${name}.`,
    severity: 'error',
    from: { path: shipped, pathNot: `^(${only.join('|')})$` },
    to: { path: to },
  }));
}

module.exports = {
  forbidden: [
    ...layerRules(),
    ...adapterRules(),
    {
      name: 'no-library-without-adapter',
      comment: 'Each outside library has adapter files; add it to the table of adapters.',
      severity: 'error',
      from: { path: shipped },
      to: { dependencyTypes: ['npm', 'npm-optional', 'npm-peer'], pathNot: adapters.map((adapter) => adapter.to) },
    },
    {
      name: 'no-undeclared-library',
      comment: 'An imported package must be declared in package.json; shipped files use no development dependency, not even its types.',
      severity: 'error',
      from: { path: shipped },
      // A peer dependency is also a development dependency here.
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'no-raw-document',
      comment: 'Judges ask core what a contract says; only core reads the members of its files. diff compares the files themselves.',
      severity: 'error',
      from: { path: shipped, pathNot: '^core/(openapi|annotations)/|^contracts/diff/' },
      to: { path: '^core/openapi/raw-document\\.ts$' },
    },
    {
      name: 'no-prism-generator',
      comment: 'The mocker of prism-http, its index and its server load faker and json-schema-faker: 900 ms of processor time and 60 MB.',
      severity: 'error',
      from: { path: shipped },
      to: {
        path: packages('@stoplight/prism-http', '@stoplight/prism-http-server', '@stoplight/prism-cli', '@stoplight/http-spec'),
        pathNot: [
          '@stoplight/prism-http/dist/(mocker/negotiator|router|validator)/',
          '@stoplight/prism-http/dist/(mocker/errors|types)\\.',
          '@stoplight/prism-http-server/dist/serialize\\.',
        ],
      },
    },
    {
      name: 'no-import-of-an-entry-point',
      comment: 'Entry points are for users of the package, and `index.ts` has all of them; inside, import the file with the declaration.',
      severity: 'error',
      from: { path: shipped, pathNot: '^index\\.ts$' },
      to: { path: `^(${entryPoints.join('|')})$` },
    },
    {
      name: 'no-unplanned-module',
      comment: 'Code belongs to a module or an entry point; a new module needs a row in the table of layers.',
      severity: 'error',
      from: {
        path: '\\.[cm]?[jt]s$',
        pathNot: [
          `^(${modules.join('|')})/`,
          `^(${entryPoints.join('|')})$`,
          '^bin/',
          '^examples/',
          '^[^/]+\\.config\\.ts$',
          '^\\.',
          'node_modules/',
        ],
      },
      to: {},
    },
    {
      name: 'independent-second-server',
      comment: 'The second server is verified, so it shares no code with the verifier: it imports only its own folder and Node.js.',
      severity: 'error',
      from: { path: '^test/second/' },
      to: { pathNot: '^test/second/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'independent-scenarios',
      comment: 'Scenarios state literal values of the documents: they read no contract and share no code with the project.',
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
      comment: 'A file that no entry point and no command reaches is unused, even if a test imports it.',
      severity: 'error',
      from: { path: reachableFrom },
      // Browsers load the front page of the mock.
      to: { path: inside, pathNot: `${reachableFrom}|^mocks/page/`, reachable: false },
    },
    {
      name: 'no-orphan',
      comment: 'A file without imports and importers is unused; this applies to tests too.',
      severity: 'error',
      from: { orphan: true, path: '\\.ts$', pathNot: ['\\.test\\.ts$', '\\.config\\.ts$', '\\.d\\.ts$'] },
      to: {},
    },
  ],
  options: {
    exoticRequireStrings: ['requirePrism'],
    doNotFollow: { path: '(^|/)node_modules/' },
    // The site has packages of its own, and Jest is installed only where its example runs.
    exclude: { path: '^(dist|docs|\\.touchstone|examples/(jest|generated-clients))/' },
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
