/** The texts that `touchstone init` writes: a configuration and a workflow, with comments for whoever reads them first. */

/** What the texts are about. */
export interface Beginning {
  /** A contract of the package by its name, or a file of the folder. */
  readonly contract: string;
  readonly isShipped: boolean;
  readonly title: string;
  readonly wantsKey: boolean;
  /** Roles of keys that lack a scope of the contract, such as `without:x.read`. */
  readonly roles: readonly string[];
}

/** The configuration. */
export function renderConfig({ contract, title, wantsKey, roles }: Beginning): string {
  const keys = wantsKey ? ['  keys:', '    full: FULL_KEY'] : ['  # keys:', '  #   full: FULL_KEY'];
  const others = [['other', 'OTHER_KEY', 'of another tenant'], ...roles.slice(0, 1).map((role) => [role, 'NARROW_KEY', 'without a scope'])];
  const lines = others.map(
    ([role, variable, about]) => `  ${wantsKey ? '  # ' : '#   '}${role}: ${variable} # ${about}, which lets more be judged`,
  );
  return [
    '# yaml-language-server: $schema=./node_modules/touchstone/specs/config.schema.json',
    `# What touchstone verify judges: ${title.replaceAll(/\s+/g, ' ')}. Options on the command line win over what stands here.`,
    '',
    'defaults:',
    '  # A contract of the package by its name, or a file beside this one.',
    `  contract: ${/^[a-z][\w./-]*$/i.test(contract) ? contract : JSON.stringify(contract)}`,
    '  # The variables of the environment that hold the keys. A key itself never goes into this file.',
    ...keys,
    ...lines,
    '  # What must be seen to hold: stated, all, or laws such as [paging/*, keys/missing]. Whatever does not makes exit code 4.',
    '  # require: stated',
    '  # Violations that are known and fail nothing until a day. A list, or a file that has one.',
    '  # waivers:',
    '  #   - fingerprint: 1c9a07-e3b0c4 # as the report prints it',
    '  #     reason: tags come with the next release',
    "  #     expires: '2026-12-31'",
    '  # Reports by format: json, junit, html, markdown, github, sarif. Those that a command line names come in their place.',
    '  reports:',
    '    json: touchstone-report.json',
    '',
    'targets:',
    '  # touchstone verify --target local',
    '  local:',
    '    url: http://127.0.0.1:4010',
    '  # touchstone verify --target staging',
    '  staging:',
    '    url: https://staging.example.com',
    '    # No more requests than this in a second (or 30/min), and in all.',
    '    rate: 2/s',
    '    budget: 600',
    '    # What a gateway in front of the server wants: by header, the variable that holds the value.',
    '    # headers:',
    '    #   X-Gateway-Token: GATEWAY_TOKEN',
    '',
  ].join('\n');
}

/** The workflow for GitHub Actions. */
export function renderWorkflow({ contract, isShipped, wantsKey }: Beginning): string {
  const compared = /^specs\/[^/]+\.openapi\.yaml$/.test(contract) ? '"$BASE"' : `"$BASE:${contract}" "${contract}"`;
  return [
    '# Written by touchstone init; yours to change.',
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
    'jobs:',
    '  verify:',
    '    # A server changes without a commit, so it is judged by the clock.',
    "    if: github.event_name != 'pull_request'",
    '    runs-on: ubuntu-latest',
    '    steps:',
    ...setUp(),
    '      - name: Judge the server',
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
    '          path: touchstone-report.*',
    '      - name: Show violations beside the code',
    "        if: always() && hashFiles('touchstone-report.sarif') != ''",
    '        uses: github/codeql-action/upload-sarif@v3',
    '        with:',
    '          sarif_file: touchstone-report.sarif',
    ...(isShipped ? [] : renderDiffJob(compared)),
    '',
  ].join('\n');
}

function renderDiffJob(compared: string): readonly string[] {
  return [
    '',
    '  diff:',
    '    # What a change of the contract breaks is told before it is merged.',
    "    if: github.event_name == 'pull_request'",
    '    runs-on: ubuntu-latest',
    '    steps:',
    ...setUp(),
    '      - name: Compare the contract with its base',
    `        run: npx touchstone diff ${compared} --report github=- --report junit=touchstone-diff.xml --report markdown=touchstone-diff.md`,
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
    '          path: touchstone-diff.*',
  ];
}

/** The whole history, since a diff looks at the base. */
function setUp(): readonly string[] {
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
