import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { type FileIdentity, type FileVersion, isSameFile, versionText } from './file-identity.ts';
import { type NamedPath, refusalOf, unavailable } from './path-refusals.ts';

/** A file inside a `ProjectRoot`, as the thread that walked its path found it. */
export interface FoundFile {
  readonly path: string;
  readonly identity: FileIdentity;
}

/**
 * A file that is sent as it is, up to the size that it had when it was opened. It is opened and
 * read without blocking this thread, however slow its disk is. Its owner closes it.
 */
export class FileDownload {
  readonly name: string;
  readonly size: number;
  readonly version: string;
  readonly #handle: FileHandle;
  readonly #onClosed: () => void;
  #isClosed = false;

  private constructor(name: string, found: FileVersion, handle: FileHandle, onClosed: () => void) {
    this.name = name;
    this.size = Number(found.size);
    this.version = versionText(found);
    this.#handle = handle;
    this.#onClosed = onClosed;
  }

  static async open(
    found: FoundFile,
    named: NamedPath,
    onClosed: () => void,
  ): Promise<FileDownload> {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    let handle: FileHandle | undefined;
    try {
      handle = await open(found.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      const stats = await handle.stat({ bigint: true });
      const { dev: device, ino: inode } = stats;
      // The path was checked before, and may lead elsewhere by now.
      if (!isSameFile({ device, inode }, found.identity)) throw unavailable(named, 'replaced');
      return new FileDownload(basename(named.path), stats, handle, onClosed);
    } catch (thrown) {
      await handle?.close();
      onClosed();
      throw refusalOf(named, thrown);
    }
  }

  /** Returns the number of bytes read: 0 if the file has become shorter. */
  async read(into: Uint8Array, position: number): Promise<number> {
    const length = Math.min(into.length, this.size - position);
    return (await this.#handle.read(into, 0, length, position)).bytesRead;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#handle.close().finally(this.#onClosed);
  }
}
