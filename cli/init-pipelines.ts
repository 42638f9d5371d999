/**
 * The pipelines that `touchstone init` writes: a GitHub workflow and a GitLab pipeline. `init-command.ts` renders the one of `--ci` once, before it writes the
 * files. It writes no file.
 */

/** Facts that a pipeline needs. */
export interface Pipeline {
  /** Name of a contract of the package, or a file of the folder. */
  readonly contract: string;
  readonly isShipped: boolean;
  readonly isKeyed: boolean;
  /** Folder of the configuration below the root of the repository; empty for the root itself. */
  readonly folder: string;
  /** Folder of pacts in that folder; `undefined` if there is none. */
  readonly pacts: string | undefined;
}

/** First line of the comment, by which the next run finds it. */
const commentMark = '<!-- touchstone diff -->';

/** The command that compares the contract with a revision, and writes the report of the comment. `link` is the URL of the files at the commit. */
function diffCommand(pipeline: Pipeline, revision: string, link: string, reports: string): string {
  const pacts = pipeline.pacts === undefined ? '' : ` --pacts ${pipeline.pacts}`;
  return `npx touchstone diff ${comparedWith(revision, pipeline)}${pacts} ${reports} --report markdown=touchstone-diff.md --link "${link}"`;
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
  const { isShipped, isKeyed, folder } = pipeline;
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
    ...(isKeyed ? ['        env:', `          FULL_KEY: \${{ secrets.FULL_KEY }}`] : []),
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
    '    permissions:',
    '      contents: read',
    '      pull-requests: write',
    '    steps:',
    ...setUpGitHub(),
    '      - name: Compare the contract with its base',
    '        run: >-',
    `          ${diffCommand(pipeline, '$BASE', '$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/blob/$GITHUB_SHA', '--report github=- --report junit=touchstone-diff.xml')}`,
    '        env:',
    `          BASE: origin/\${{ github.base_ref }}`,
    '      - name: Show the summary',
    '        if: always()',
    '        run: test ! -f touchstone-diff.md || cat touchstone-diff.md >> "$GITHUB_STEP_SUMMARY"',
    '      - name: Comment on the pull request, or update the comment',
    '        # A pull request from a fork has a token that may not comment.',
    '        if: always() && github.event.pull_request.head.repo.full_name == github.repository',
    '        env:',
    `          GH_TOKEN: \${{ github.token }}`,
    `          ISSUE: \${{ github.event.number }}`,
    '        run: |',
    '          test -f touchstone-diff.md || exit 0',
    `          { echo '${commentMark}'; cat touchstone-diff.md; } > comment.md`,
    `          id=$(gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$ISSUE/comments" --jq '.[] | select(.body | startswith("${commentMark}")) | .id' | head -n 1)`,
    '          if [ -n "$id" ]; then',
    '            gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F body=@comment.md',
    "          elif grep '^## ' touchstone-diff.md | grep -qv ': no changes'; then",
    '            gh api --silent "repos/$GITHUB_REPOSITORY/issues/$ISSUE/comments" -F body=@comment.md',
    '          fi',
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
  const { isShipped, isKeyed, folder } = pipeline;
  const report = withFolder(folder, 'touchstone-report');
  return [
    '# Written by touchstone init. Edit it as you need, and include it in .gitlab-ci.yml.',
    ...(isKeyed ? ['# Add FULL_KEY to the masked variables under Settings > CI/CD.'] : []),
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
    '    - >-',
    `      ${diffCommand(pipeline, '$CI_MERGE_REQUEST_DIFF_BASE_SHA', '$CI_PROJECT_URL/-/blob/$CI_COMMIT_SHA', '--report junit=touchstone-diff.xml')}`,
    ...renderGitLabNote(withFolder(pipeline.folder, 'touchstone-diff.md')),
    ...renderArtifacts(withFolder(pipeline.folder, 'touchstone-diff'), []),
  ];
}

/** Posts the report as a note of the merge request, or updates the note. The token of a job may not do that. */
function renderGitLabNote(report: string): readonly string[] {
  return [
    '  after_script:',
    '    # Add TOUCHSTONE_TOKEN, a project access token with the scope api, to the masked variables: then the report becomes a note of the merge request.',
    '    - |',
    `      test -z "$TOUCHSTONE_TOKEN" || test ! -f "${report}" || node --input-type=module -e '`,
    '        import { readFileSync } from "node:fs";',
    '        const { CI_API_V4_URL: api, CI_PROJECT_ID: project, CI_MERGE_REQUEST_IID: number, TOUCHSTONE_TOKEN: token } = process.env;',
    '        const notes = [api, "projects", project, "merge_requests", number, "notes"].join("/");',
    '        const headers = { "PRIVATE-TOKEN": token, "Content-Type": "application/json" };',
    `        const text = readFileSync("${report}", "utf8");`,
    '        const known = await (await fetch(notes + "?per_page=100", { headers })).json();',
    `        const note = known.find(({ body }) => body.startsWith("${commentMark}"));`,
    '        if (note === undefined && /^## .*: no changes$/m.test(text)) process.exit();',
    `        const body = JSON.stringify({ body: "${commentMark}\\n" + text });`,
    '        const [url, method] = note === undefined ? [notes, "POST"] : [notes + "/" + note.id, "PUT"];',
    '        const { ok, status } = await fetch(url, { method, headers, body });',
    `        if (!ok) throw new Error("GitLab answers " + status);'`,
  ];
}

/** The image with git, which the slim ones lack, and the first lines of the script. */
function setUpGitLab(folder: string): readonly string[] {
  return ['  image: node:22', '  script:', ...(folder === '' ? [] : [`    - cd "${folder}"`]), '    - npm ci'];
}

function renderArtifacts(report: string, more: readonly string[]): readonly string[] {
  return ['  artifacts:', '    when: always', `    paths: ['${report}.*']`, '    reports:', `      junit: ${report}*.xml`, ...more];
}
