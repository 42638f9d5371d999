/** Watching the files of a mock while it runs. */

import { type FSWatcher, statSync, watch } from 'node:fs';
import path from 'node:path';

/** What is watched, and who hears of it. */
export interface Watching {
  /** The files; asked again after each change, since a file may refer to other files than before. */
  readonly files: () => readonly string[];
  /** Hears which files changed. The next change is told when this one has been dealt with. */
  readonly onChange: (changed: readonly string[]) => Promise<void>;
  /** Hears why a folder can no longer be watched. */
  readonly onError: (error: Error) => void;
}

/** Editors save in several steps; a change is told when there was none for so long. */
const quietMs = 60;

/** Watches files until the answer is called. It keeps no process alive. */
export function watchFiles(watching: Watching): () => void {
  const watcher = new FolderWatch(watching);
  return () => watcher.close();
}

/** Watches the folders that files are in, since editors put a new file in the place of the old one. */
class FolderWatch {
  private readonly watching: Watching;
  private readonly folders = new Map<string, FSWatcher>();
  private versions: ReadonlyMap<string, string>;
  private timer: NodeJS.Timeout | undefined;
  private isBusy = false;
  private isClosed = false;

  constructor(watching: Watching) {
    this.watching = watching;
    this.versions = readVersions(watching.files());
    this.follow();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    for (const folder of this.folders.values()) folder.close();
    this.folders.clear();
  }

  /** Watches the folders of the files that there are now, and no others. */
  private follow(): void {
    const wanted = new Set([...this.versions.keys()].map((file) => path.dirname(path.resolve(file))));
    for (const [folder, watcher] of this.folders) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.folders.delete(folder);
    }
    for (const folder of wanted) if (!this.folders.has(folder)) this.open(folder);
  }

  private open(folder: string): void {
    const fail = (error: Error): void => {
      this.folders.get(folder)?.close();
      this.folders.delete(folder);
      this.watching.onError(error);
    };
    try {
      const watcher = watch(folder, { persistent: false }, () => this.schedule());
      this.folders.set(folder, watcher.on('error', fail));
    } catch (error) {
      fail(error as Error);
    }
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (!this.isClosed) this.timer = setTimeout(() => void this.look(), quietMs).unref();
  }

  private async look(): Promise<void> {
    if (this.isBusy) return this.schedule();
    const now = readVersions(this.watching.files());
    const changed = [...now].filter(([file, version]) => this.versions.get(file) !== version).map(([file]) => file);
    if (changed.length === 0) return;
    this.isBusy = true;
    this.versions = now;
    await this.watching.onChange(changed);
    this.isBusy = false;
    if (this.isClosed) return;
    // Of a file that was there before, a change in the meantime is still to be told.
    this.versions = new Map([...readVersions(this.watching.files())].map(([file, version]) => [file, now.get(file) ?? version]));
    this.follow();
    this.schedule();
  }
}

function readVersions(files: readonly string[]): ReadonlyMap<string, string> {
  return new Map(files.map((file) => [file, readVersion(file)]));
}

/** What tells one version of a file from another, without reading it. */
function readVersion(file: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(file, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch (error) {
    // A file that cannot be looked at is another version too; whoever reads it next says what is wrong with it.
    return String((error as NodeJS.ErrnoException).code);
  }
}
