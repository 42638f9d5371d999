/** Pipelines that `touchstone init` writes: a GitHub workflow and a GitLab pipeline. Both verify a server and compare the contract of a pull request. */

/** Facts that a pipeline needs. */
export interface Pipeline {
  /** Name of a contract of the package, or a file of the folder. */
  readonly contract: string;
  readonly isShipped: boolean;
  readonly wantsKey: boolean;
  /** Folder of the configuration below the root of the repository; empty for the root itself. */
  readonly folder: string;
}

/** Arguments that compare the contract with a revision. In a folder below the root, the file is named on both sides. */
function comparedWith(revision: string, { contract, folder }: Pipeline): string {
  if (folder === '' && /^specs\/[^/]+\.openapi\.yaml$/.test(contract)) return `"${revision}"`;
  return `"${revision}:${withFolder(folder, contract)}" "${contract}"`;
}

function withFolder(folder: string, file: string): string {
  return folder === '' ? file : `${folder}/${file}`;
}

/** Renders the workflow for GitHub Actions. */
export function renderGitHubWorkflow(pipeline: Pipeline): string {
  const { isShipped, wantsKey, folder } = pipeline;
  const report = withFolder(folder, 'touchstone-report');
  return [
    '# Written by touchstone init. Edit it as you need.',
    'name: touchstone',
    '',
    'on:',
    '  schedule:',
    "    - cron: '17 4 * * *'",
    '  workflow_dispatch:',
    ...(isShipped ? [] : ['  pull_request:']),
    '',
    'permissions:',
    '  contents: read',
    '  security-events: write',
    '',
    ...(folder === '' ? [] : ['defaults:', '  run:', `    working-directory: ${folder}`, '']),
    'jobs:',
    '  verify:',
    '    # A server can change without a commit, so it is verified on a schedule.',
    "    if: github.event_name != 'pull_request'",
    '    runs-on: ubuntu-latest',
    '    steps:',
    ...setUpGitHub(),
    '      - name: Verify the server',
    '        run: >-',
    '          npx touchstone verify --target staging --report github=- --report junit=touchstone-report.xml',
    '          --report sarif=touchstone-report.sarif --report markdown=touchstone-report.md --report json=touchstone-report.json',
    ...(wantsKey ? ['        env:', `          FULL_KEY: \${{ secrets.FULL_KEY }}`] : []),
    '      - name: Show the summary',
    '        if: always()',
    '        run: test ! -f touchstone-report.md || cat touchstone-report.md >> "$GITHUB_STEP_SUMMARY"',
    '      - name: Keep the reports',
    '        if: always()',
    '        uses: actions/upload-artifact@v4',
    '        with:',
    '          name: touchstone',
    `          path: ${report}.*`,
    '      - name: Show violations beside the code',
    `        if: always() && hashFiles('${report}.sarif') != ''`,
    '        uses: github/codeql-action/upload-sarif@v3',
    '        with:',
    `          sarif_file: ${report}.sarif`,
    ...(isShipped ? [] : renderGitHubDiff(pipeline)),
    '',
  ].join('\n');
}

function renderGitHubDiff(pipeline: Pipeline): readonly string[] {
  return [
    '',
    '  diff:',
    '    # Reports breaking changes of the contract before they are merged.',
    "    if: github.event_name == 'pull_request'",
    '    runs-on: ubuntu-latest',
    '    steps:',
    ...setUpGitHub(),
    '      - name: Compare the contract with its base',
    `        run: npx touchstone diff ${comparedWith('$BASE', pipeline)} --report github=- --report junit=touchstone-diff.xml --report markdown=touchstone-diff.md`,
    '        env:',
    `          BASE: origin/\${{ github.base_ref }}`,
    '      - name: Show the summary',
    '        if: always()',
    '        run: test ! -f touchstone-diff.md || cat touchstone-diff.md >> "$GITHUB_STEP_SUMMARY"',
    '      - name: Keep the reports',
    '        if: always()',
    '        uses: actions/upload-artifact@v4',
    '        with:',
    '          name: touchstone-diff',
    `          path: ${withFolder(pipeline.folder, 'touchstone-diff')}.*`,
  ];
}

/** Checks out the whole history, since `diff` needs the base commit. */
function setUpGitHub(): readonly string[] {
  return [
    '      - uses: actions/checkout@v4',
    '        with:',
    '          fetch-depth: 0',
    '      - uses: actions/setup-node@v4',
    '        with:',
    '          node-version: 22',
    '      - run: npm ci',
  ];
}

/** Renders the pipeline for GitLab, a file that .gitlab-ci.yml includes. */
export function renderGitLabPipeline(pipeline: Pipeline): string {
  const { isShipped, wantsKey, folder } = pipeline;
  const report = withFolder(folder, 'touchstone-report');
  return [
    '# Written by touchstone init. Edit it as you need, and include it in .gitlab-ci.yml.',
    ...(wantsKey ? ['# Add FULL_KEY to the masked variables under Settings > CI/CD.'] : []),
    'touchstone verify:',
    '  # A server can change without a commit, so it is verified by a scheduled pipeline.',
    '  rules:',
    "    - if: $CI_PIPELINE_SOURCE == 'schedule' || $CI_PIPELINE_SOURCE == 'web'",
    ...setUpGitLab(folder),
    '    - >-',
    '      npx touchstone verify --target staging --report junit=touchstone-report.xml --report gitlab=touchstone-report.codequality.json',
    '      --report html=touchstone-report.html --report json=touchstone-report.json',
    ...renderArtifacts(report, [`      codequality: ${report}.codequality.json`]),
    ...(isShipped ? [] : renderGitLabDiff(pipeline)),
    '',
  ].join('\n');
}

function renderGitLabDiff(pipeline: Pipeline): readonly string[] {
  return [
    '',
    'touchstone diff:',
    '  # Reports breaking changes of the contract before they are merged.',
    '  rules:',
    "    - if: $CI_PIPELINE_SOURCE == 'merge_request_event'",
    '  variables:',
    "    GIT_DEPTH: '0'",
    ...setUpGitLab(pipeline.folder),
    `    - npx touchstone diff ${comparedWith('$CI_MERGE_REQUEST_DIFF_BASE_SHA', pipeline)} --report junit=touchstone-diff.xml`,
    ...renderArtifacts(withFolder(pipeline.folder, 'touchstone-diff'), []),
  ];
}

/** The image with git, which the slim ones lack, and the first lines of the script. */
function setUpGitLab(folder: string): readonly string[] {
  return ['  image: node:22', '  script:', ...(folder === '' ? [] : [`    - cd "${folder}"`]), '    - npm ci'];
}

function renderArtifacts(report: string, more: readonly string[]): readonly string[] {
  return ['  artifacts:', '    when: always', `    paths: ['${report}.*']`, '    reports:', `      junit: ${report}*.xml`, ...more];
}
