/** Reads a Dockerfile as far as ours goes, and lists its mistakes. No image can be built where the tests run. */

/** One instruction: its name in capitals, and the rest with continued lines joined. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of a file, in their order. */
export function readInstructions(file: string): readonly Instruction[] {
  const lines = file.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  const joined = lines.join('\n').replaceAll(/\\\n\s*/g, '');
  return joined.split('\n').map((line) => {
    const [, name = '', text = ''] = /^(\S+)\s+(.*)$/.exec(line.trim()) ?? [];
    return { name: name.toUpperCase(), text };
  });
}

/** The stages of a file, each beginning with its FROM. */
export function readStages(file: string): readonly (readonly Instruction[])[] {
  const stages: Instruction[][] = [];
  for (const instruction of readInstructions(file)) {
    if (instruction.name === 'FROM') stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  return stages;
}

/** The words of an instruction in exec form, such as `["mock", "--port", "4010"]`; undefined for the shell form. */
export function execForm(text: string): readonly string[] | undefined {
  try {
    const words: unknown = JSON.parse(text.slice(text.indexOf('[')));
    return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : undefined;
  } catch {
    return undefined;
  }
}

/** The text of an instruction of the last stage; the last one counts. */
export function lastOf(file: string, name: string): string {
  return (
    readStages(file)
      .at(-1)
      ?.findLast((instruction) => instruction.name === name)?.text ?? ''
  );
}

export function lintDockerfile(file: string): readonly string[] {
  const all = readInstructions(file);
  const last = readStages(file).at(-1) ?? [];
  const textsOf = (name: string): readonly string[] => all.filter((each) => each.name === name).map(({ text }) => text);
  const user = lastOf(file, 'USER');
  const port = lastOf(file, 'EXPOSE');
  const started = [...(execForm(lastOf(file, 'ENTRYPOINT')) ?? []), ...(execForm(lastOf(file, 'CMD')) ?? [])];
  const health = lastOf(file, 'HEALTHCHECK');
  const checks: readonly (readonly [wrong: boolean, message: string])[] = [
    [all.some(({ name }) => !known.has(name)), 'there is an unknown instruction'],
    [textsOf('FROM').some((text) => !/^[\w./-]+:\d+\.\d+\.\d+-\S*\d( AS \w+)?$/.test(text)), 'a base image has no exact version'],
    [new Set(textsOf('FROM').map((text) => text.split(' ')[0])).size > 1, 'the stages have different bases'],
    [textsOf('ADD').length > 0, 'ADD unpacks and downloads; COPY does not'],
    [textsOf('RUN').some((text) => /npm/.test(text) && !text.includes('--ignore-scripts')), 'npm would run scripts of packages'],
    [/^(root|0|)(:|$)/.test(user), 'it runs as root'],
    [
      last.findIndex(({ name }) => name === 'USER') < last.findIndex(({ name }) => name === 'COPY'),
      'files are copied after the user is chosen',
    ],
    [execForm(lastOf(file, 'ENTRYPOINT')) === undefined, 'ENTRYPOINT is not in exec form, so signals end in a shell'],
    [execForm(lastOf(file, 'CMD')) === undefined, 'CMD is not in exec form'],
    [!health.includes('CMD [') || execForm(health) === undefined, 'there is no health check in exec form'],
    [!/--interval=\d+s .*--timeout=\d+s/.test(health), 'the health check has no interval and timeout'],
    [!health.includes(`:${port}/`), 'the health check asks another port'],
    [started[started.indexOf('--port') + 1] !== port, 'it listens on another port than it exposes'],
    [started[started.indexOf('--host') + 1] !== '0.0.0.0', 'nobody outside the container reaches it'],
    [lastOf(file, 'STOPSIGNAL') !== 'SIGTERM', 'it is stopped by another signal than SIGTERM'],
  ];
  return checks.flatMap(([wrong, message]) => (wrong ? [message] : []));
}

const known: ReadonlySet<string> = new Set(
  'FROM ARG WORKDIR COPY ADD RUN LABEL ENV USER EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(' '),
);
