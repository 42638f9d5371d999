/** Keeps the unit tier pure: a test that opens a socket or starts a process fails. */

import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

function refuse(what: string): () => never {
  return () => {
    throw new Error(`A unit test ${what}. Move the test to test/integration, or test the function below it.`);
  };
}

net.Server.prototype.listen = refuse('opens a port');
net.Socket.prototype.connect = refuse('opens a connection');
Object.assign(childProcess, {
  spawn: refuse('starts a process'),
  spawnSync: refuse('starts a process'),
  fork: refuse('starts a process'),
  exec: refuse('starts a process'),
  execSync: refuse('starts a process'),
  execFile: refuse('starts a process'),
  execFileSync: refuse('starts a process'),
});
syncBuiltinESMExports();
