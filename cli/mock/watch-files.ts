/**
 * Watches files, and reports which of them changed. `mock-command.ts` starts a watch for the contract, profile and data files of a mock, and reloads the mock
 * after each change. It ends the watch before it stops the mock. It reads no contents: `mocks/load-contracts.ts` reads contracts and profiles again.
 */

import { type FSWatcher, statSync, watch } from 'node:fs';
import path from 'node:path';

/** Files to watch, and callbacks. */
interface WatchSettings {
  /** Returns the files to watch. Called again after each change, because the references to other files may have changed. */
  readonly files: () => readonly string[];
  /** Called with the changed files, one call after the other. */
  readonly onChange: (changed: readonly string[]) => Promise<void>;
  /** Called when a folder can no longer be watched. */
  readonly onError: (error: Error) => void;
}

/** Time without events before a change is reported, because editors save in several steps. */
const quietMs = 60;

/** Watches files until the returned function is called. Does not keep the process alive. */
export function watchFiles(settings: WatchSettings): () => void {
  const folderWatch = new FolderWatch(settings);
  return () => folderWatch.close();
}

/** Watches the folders instead of the files, because editors replace a file with a new one. */
class FolderWatch {
  private readonly settings: WatchSettings;
  /** Watchers by folder. */
  private readonly watchers = new Map<string, FSWatcher>();
  /** Versions by file, as last reported. */
  private versions: ReadonlyMap<string, string>;
  private timer: NodeJS.Timeout | undefined;
  private isBusy = false;
  private isClosed = false;

  constructor(settings: WatchSettings) {
    this.settings = settings;
    this.versions = readVersions(settings.files());
    this.updateFolders();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }

  /** Watches the folders of the current files, and no others. */
  private updateFolders(): void {
    const neededFolders = new Set([...this.versions.keys()].map((file) => path.dirname(path.resolve(file))));
    for (const [folder, watcher] of this.watchers) {
      if (neededFolders.has(folder)) continue;
      watcher.close();
      this.watchers.delete(folder);
    }
    for (const folder of neededFolders) if (!this.watchers.has(folder)) this.open(folder);
  }

  private open(folder: string): void {
    const stopWatching = (error: Error): void => {
      this.watchers.get(folder)?.close();
      this.watchers.delete(folder);
      this.settings.onError(error);
    };
    try {
      const watcher = watch(folder, { persistent: false }, () => this.schedule());
      this.watchers.set(folder, watcher.on('error', stopWatching));
    } catch (error) {
      stopWatching(error as Error);
    }
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (!this.isClosed) this.timer = setTimeout(() => void this.reportChanges(), quietMs).unref();
  }

  private async reportChanges(): Promise<void> {
    if (this.isBusy) return this.schedule();
    const versions = readVersions(this.settings.files());
    const changedFiles = [...versions].filter(([file, version]) => this.versions.get(file) !== version).map(([file]) => file);
    if (changedFiles.length === 0) return;
    this.isBusy = true;
    this.versions = versions;
    await this.settings.onChange(changedFiles);
    this.isBusy = false;
    if (this.isClosed) return;
    // A file watched before keeps the version from before the reload, so that a change during the reload is reported.
    this.versions = new Map([...readVersions(this.settings.files())].map(([file, version]) => [file, versions.get(file) ?? version]));
    this.updateFolders();
    this.schedule();
  }
}

function readVersions(files: readonly string[]): ReadonlyMap<string, string> {
  return new Map(files.map((file) => [file, readVersion(file)]));
}

/** Returns a version of a file, without reading it. */
function readVersion(file: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(file, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch (error) {
    // An unreadable file counts as changed, and the reload reports the reason.
    return String((error as NodeJS.ErrnoException).code);
  }
}
