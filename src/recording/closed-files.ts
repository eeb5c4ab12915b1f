import type { Clock } from '../base/clock/clock.ts';
import { type Compress, type CountEvents, compressedName, gzipName } from './compress-file.ts';
import type { FileList, ListedFile } from './file-list.ts';
import type { RecordingFile } from './recording-file.ts';
import type { RecordingFormat } from './recording-record.ts';
import { type FileRetention, maxKeptFiles } from './recording-request.ts';
import { SeriesFolder } from './series-folder.ts';

/** How long the end of a recorder waits for counts, which the next start can repeat. */
const countMs = 1000;

export interface ClosedFilesOptions {
  readonly clock: Clock;
  readonly projectRoot: string;
  readonly folder: string;
  readonly format: RecordingFormat;
  readonly list: FileList;
  readonly keep: FileRetention | null;
  /** null: files stay as they are. */
  readonly compress: Compress | null;
  readonly count: CountEvents;
}

/**
 * What happens to files after the recorder has left them: sync, compression, removal of the
 * oldest. One after the other and without blocking, so that no event waits for it. A step that the
 * disk refuses leaves the file as it is.
 */
export class ClosedFiles {
  readonly #options: ClosedFilesOptions;
  #work: Promise<unknown> = Promise.resolve();
  /** A large file takes long to count, and nothing waits for it. */
  #counts: Promise<unknown> = Promise.resolve();
  #isCountOver = false;
  #saving: Promise<void> | null = null;

  constructor(options: ClosedFilesOptions) {
    this.#options = options;
  }

  /** Brings the files of an earlier run, which can have been killed, up to date. */
  catchUp(): void {
    const { left, files } = this.#options.list;
    for (const entry of files) {
      if (entry.state === 'compressed') continue;
      if (entry.state === 'compressing') this.#after(() => this.#adopt(entry));
      if (entry.state !== 'open') this.#after(() => this.#compress(entry));
      this.#after(() => this.#measure(entry));
    }
    for (const entry of left) {
      this.#counts = this.#counts.then(() => this.#count(entry)).catch(() => undefined);
    }
    this.retain();
  }

  add(file: RecordingFile, entry: ListedFile): void {
    this.#after(() => new Promise<void>((resolve) => file.syncLater(resolve)));
    this.#after(async () => file.close());
    this.#after(() => this.#compress(entry));
    this.retain();
  }

  retain(): void {
    if (this.#options.keep) this.#after(() => this.#retain());
  }

  /** Saves the list if it has changed. */
  save(): Promise<void> {
    const { list, projectRoot, folder } = this.#options;
    if (list.isSaved) return Promise.resolve();
    this.#saving ??= SeriesFolder.use(projectRoot, folder, (opened) => list.save(opened))
      .catch(() => undefined)
      .finally(() => {
        this.#saving = null;
      });
    return this.#saving;
  }

  async settled(): Promise<void> {
    if (!this.#isCountOver) await this.#countsOrTimeout();
    this.#isCountOver = true;
    await this.#work;
    await this.#saving;
    await this.save();
  }

  #countsOrTimeout(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#options.clock.after(countMs, resolve);
      void this.#counts.then(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  #after(step: () => Promise<void>): void {
    this.#work = this.#work.then(step).catch(() => undefined);
  }

  async #compress(entry: ListedFile): Promise<void> {
    const { compress, format, list, projectRoot, folder } = this.#options;
    const from = entry.file;
    const to = compressedName(from, format);
    if (!compress || to === null || !list.files.includes(entry)) return;
    if (entry.state !== 'closed' || (await this.#sizeOf(from)) === null) return;
    const isOwn =
      to === from || ((await this.#sizeOf(to)) === null && (await this.#announce(entry)));
    if (!isOwn) return;
    try {
      await compress({ projectRoot, folder, from, to });
    } catch (thrown) {
      entry.state = 'closed';
      list.changed();
      throw thrown;
    }
    await this.#compressed(entry, to);
  }

  /** Lists that the compressed file will be the recorder's own. Returns whether that is on disk. */
  async #announce(entry: ListedFile): Promise<boolean> {
    const { list } = this.#options;
    entry.state = 'compressing';
    const version = list.changed();
    // The first can be a save that was begun before.
    for (let saves = 0; saves < 2 && !list.hasSaved(version); saves++) await this.save();
    if (list.hasSaved(version)) return true;
    entry.state = 'closed';
    return false;
  }

  /** Finishes what a kill has interrupted. */
  async #adopt(entry: ListedFile): Promise<void> {
    const to = gzipName(entry.file);
    if ((await this.#sizeOf(to)) !== null) return this.#compressed(entry, to);
    entry.state = 'closed';
    this.#options.list.changed();
  }

  async #compressed(entry: ListedFile, to: string): Promise<void> {
    const { list, projectRoot, folder } = this.#options;
    const from = entry.file;
    entry.file = to;
    entry.state = 'compressed';
    list.changed();
    await this.#measure(entry);
    if (to === from) return;
    await SeriesFolder.use(projectRoot, folder, (opened) => opened.remove(from));
  }

  #sizeOf(name: string): Promise<number | null> {
    const { projectRoot, folder } = this.#options;
    return SeriesFolder.use(projectRoot, folder, (opened) => opened.sizeOf(name));
  }

  async #count(entry: ListedFile): Promise<void> {
    const { count, list, projectRoot, folder } = this.#options;
    if (this.#isCountOver) return;
    const frames = await count({ projectRoot, folder, from: entry.file });
    if (this.#isCountOver || !list.files.includes(entry)) return;
    // No format has the ids of its events.
    if (frames !== entry.frames) entry.last_event_id = null;
    if (frames === 0) entry.first_event_id = null;
    entry.frames = frames;
    entry.state = 'closed';
    list.changed();
    this.#after(() => this.#compress(entry));
  }

  async #measure(entry: ListedFile): Promise<void> {
    const bytes = await this.#sizeOf(entry.file);
    if (bytes === null || bytes === entry.bytes) return;
    entry.bytes = bytes;
    this.#options.list.changed();
  }

  async #retain(): Promise<void> {
    const { keep, list, projectRoot, folder } = this.#options;
    const { max_files: files = maxKeptFiles, max_bytes: bytes } = keep ?? {};
    const isTooMuch = (): boolean =>
      list.files.length > files ||
      list.files.reduce((sum, entry) => sum + entry.bytes, 0) > (bytes ?? Number.POSITIVE_INFINITY);
    while (isTooMuch()) {
      const oldest = list.files[0] as ListedFile;
      // The current file is the last one, and stays.
      if (list.files.length === 1 || oldest === this.#current) return;
      await SeriesFolder.use(projectRoot, folder, (opened) => opened.remove(oldest.file));
      list.remove(oldest);
    }
  }

  get #current(): ListedFile | undefined {
    const { files, left } = this.#options.list;
    return files.findLast((entry) => entry.state === 'open' && !left.includes(entry));
  }
}
