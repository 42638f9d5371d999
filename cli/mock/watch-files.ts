/** Looks for changed files while a mock runs, by their time and size. Reloads nothing itself. */

import { statSync } from 'node:fs';

/** Files to watch, and the function that gets the changed ones. */
interface WatchSettings {
  /** Returns the files to watch. Called at each look, because the references to other files may change. */
  readonly files: () => readonly string[];
  /** Called with the changed files, one call after the other. */
  readonly onChange: (changed: readonly string[]) => Promise<void>;
}

/** Time between two looks. A look takes less than a millisecond, and also works on network drives and in containers, where the system reports no changes. */
const intervalMs = 200;

/** Looks at files again and again until the returned function is called. Does not keep the process alive. */
export function watchFiles({ files, onChange }: WatchSettings): () => void {
  const reported = readVersions(files());
  let seen: ReadonlyMap<string, string> = reported;
  const look = async (): Promise<void> => {
    const versions = readVersions(files());
    for (const [file, version] of versions) if (!reported.has(file)) reported.set(file, version);
    const changed = [...versions].filter(([file, version]) => reported.get(file) !== version);
    // Editors save in several steps, so a change is reported when two looks find the same versions.
    const isComplete = changed.every(([file, version]) => seen.get(file) === version);
    seen = versions;
    if (changed.length === 0 || !isComplete) return;
    for (const [file, version] of changed) reported.set(file, version);
    await onChange(changed.map(([file]) => file));
  };
  let isBusy = false;
  const timer = setInterval(async () => {
    if (isBusy) return;
    isBusy = true;
    await look();
    isBusy = false;
  }, intervalMs).unref();
  return () => clearInterval(timer);
}

/** Reads the versions of files: their time and size, not their contents. */
function readVersions(files: readonly string[]): Map<string, string> {
  return new Map(files.map((file) => [file, readVersion(file)]));
}

function readVersion(file: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(file, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch (error) {
    // An unreadable file counts as changed, and the reload reports the reason.
    return String((error as NodeJS.ErrnoException).code);
  }
}
