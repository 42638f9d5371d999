/**
 * One process for the commands and programs of the pages, so that the package is loaded once. Commands come over a socket, programs as messages. It ends by
 * itself, unless one of them left something open.
 */

import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

const [repository = '', socket = '', patienceMs] = process.argv.slice(2);

const server = createServer((request, response) => {
  response.on('error', () => undefined); // A command that is stopped may still print.
  void runCommand(request, response);
});
server.listen(socket, () => process.send?.('ready'));
process.on('message', (file) => void runProgram(String(file)).then((outcome) => process.send?.(outcome)));
process.on('disconnect', end);

/** Takes no more commands. The unreferenced timer fires only if something is still open. */
function end() {
  server.close();
  const fail = () => {
    console.error(`a command or a program has left something open: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  };
  setTimeout(fail, Number(patienceMs)).unref();
}

/** Runs `touchstone` with the folder, the variables and the arguments of the shell. Hanging up interrupts it. */
async function runCommand(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const [folder = '', file = '', count, ...rest] = Buffer.concat(chunks).toString().split('\0');
  const environment = rest.slice(Number(count)).filter((pair) => pair !== '');
  process.chdir(folder);
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const pair of environment) process.env[pair.slice(0, pair.indexOf('='))] = pair.slice(pair.indexOf('=') + 1);
  writeFileSync(`${file}.err`, '');
  const { run } = await import(pathToFileURL(join(repository, 'dist/cli/run-command.js')).href);
  const code = await run(rest.slice(0, Number(count)), '0.0.0', {
    out: (text) => response.write(text),
    error: (text) => appendFileSync(`${file}.err`, text),
    decorated: false,
    interrupted: new Promise((resolve) => {
      response.once('close', resolve);
    }),
  });
  writeFileSync(`${file}.code`, String(code));
  response.end();
}

/** Imports a program in its own folder, and gives what it printed. */
async function runProgram(file) {
  const printed = { stdout: '', stderr: '' };
  const writers = [process.stdout.write, process.stderr.write];
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (text) => {
      printed[name] += text;
      return true;
    };
  }
  process.chdir(dirname(file));
  try {
    await import(pathToFileURL(file).href);
    return { exitCode: 0, ...printed };
  } catch (error) {
    return { exitCode: 1, ...printed, stderr: `${printed.stderr}${inspect(error)}` };
  } finally {
    [process.stdout.write, process.stderr.write] = writers;
  }
}
