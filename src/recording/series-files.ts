import type { Clock } from '../base/clock/clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { alreadyExists } from '../base/files/path-refusals.ts';
import { ProjectRoot } from '../base/files/project-root.ts';
import type { CreateTrace, TraceAttachment, TraceWriteOptions } from '../trace/trace-format.ts';
import { ClosedFiles } from './closed-files.ts';
import { type Compress, type CountEvents, compressedName } from './compress-file.ts';
import { FileList, type ListedFile, newFile } from './file-list.ts';
import { type FileCalls, fileFailure, RecordingFile } from './recording-file.ts';
import type { RecordedFile } from './recording-record.ts';
import type { RecordedDatabase, RecordingRequest } from './recording-request.ts';
import { SeriesFolder } from './series-folder.ts';
import { SeriesNames } from './series-names.ts';
import { TraceFile } from './trace-file.ts';

const field = 'file';
const maxShownFiles = 100;
/** Names that other programs take while a file is being opened. */
const maxTakenNames = 1000;

export interface SeriesFilesOptions {
  readonly clock: Clock;
  readonly request: RecordingRequest;
  readonly projectRoot: string;
  readonly create: CreateTrace;
  readonly channelName: TraceWriteOptions['channelName'];
  readonly compress: Compress;
  readonly count: CountEvents;
  readonly calls?: FileCalls | undefined;
}

export interface OpenFile {
  readonly trace: TraceFile;
  readonly entry: ListedFile;
}

/** What a recording has on disk: the files and their list. */
export interface SeriesFiles {
  /** Whether a file follows another one. */
  readonly hasNumber: boolean;
  readonly files: readonly RecordedFile[];
  /** Throws a refusal, and then leaves no file. */
  open(fileUnixUs: number): OpenFile;
  /** Throws what opening a file would throw, and leaves none. */
  check(fileUnixUs: number): void;
  pathOf(entry: ListedFile): string;
  /** The entry of a file has changed. */
  changed(): void;
  /** The file is complete. */
  leave(file: OpenFile): void;
  /** Size of their list. */
  readonly listBytes: number;
  /** Saves the list without blocking. */
  save(): void;
  saveNow(): void;
  settled(): Promise<void>;
}

const shown = (folder: string, entry: ListedFile): RecordedFile => {
  const { file, first_event_id, last_event_id, frames, bytes } = entry;
  return { file: folder + file, first_event_id, last_event_id, frames, bytes };
};

const notNumbered = (path: string): BusbarError =>
  new BusbarError('already_exists', {
    message: `${path} already exists; add {n} to the name in file to number the files`,
    details: { field, path },
  });

const attachmentOf = ({ file, type, content }: RecordedDatabase): TraceAttachment => ({
  name: file,
  mime: `application/x-${type}`,
  bytes: content,
});

const begin = (
  file: RecordingFile,
  path: string,
  startUnixUs: number,
  { create, channelName, request }: SeriesFilesOptions,
): TraceFile => {
  try {
    const attachments = request.embed_databases ? request.databases.map(attachmentOf) : [];
    const trace = new TraceFile(file, create, { startUnixUs, channelName, attachments });
    if (!trace.begin()) throw fileFailure(path, trace.failure ?? '');
    return trace;
  } catch (thrown) {
    file.discard();
    throw thrown;
  }
};

/** The file of logging, with the name that was given. */
export class SingleFile implements SeriesFiles {
  readonly hasNumber = false;
  readonly #options: SeriesFilesOptions;
  #entry: ListedFile | null = null;

  constructor(options: SeriesFilesOptions) {
    this.#options = options;
  }

  get files(): readonly RecordedFile[] {
    return this.#entry ? [shown('', this.#entry)] : [];
  }

  open(fileUnixUs: number): OpenFile {
    const { request, projectRoot, calls } = this.#options;
    const { file: path, overwrite, replayed } = request;
    const file = RecordingFile.open({ projectRoot, file: path, overwrite, replayed }, calls);
    const trace = begin(file, path, fileUnixUs, this.#options);
    this.#entry = newFile(path);
    return { trace, entry: this.#entry };
  }

  check(): void {}

  pathOf({ file }: ListedFile): string {
    return file;
  }

  readonly listBytes = 0;

  changed(): void {}

  leave({ trace }: OpenFile): void {
    trace.file.close();
  }

  save(): void {}

  saveNow(): void {}

  settled(): Promise<void> {
    return Promise.resolve();
  }
}

/** The files of a named recorder, in one folder with their list. */
export class NumberedFiles implements SeriesFiles {
  readonly #options: SeriesFilesOptions;
  readonly #names: SeriesNames;
  readonly #list: FileList;
  readonly #closed: ClosedFiles;

  private constructor(options: SeriesFilesOptions, names: SeriesNames, list: FileList) {
    const { request, projectRoot, compress, count, clock } = options;
    this.#options = options;
    this.#names = names;
    this.#list = list;
    this.#closed = new ClosedFiles({
      clock,
      projectRoot,
      folder: names.folder,
      format: request.format,
      list,
      keep: request.keep,
      compress: request.compress ? compress : null,
      count,
    });
    this.#closed.catchUp();
  }

  /** Reads what exists. Throws if the pattern, the folder or the list cannot be used. */
  static prepare(options: SeriesFilesOptions, name: string): NumberedFiles {
    const { request, projectRoot } = options;
    const names = SeriesNames.parse(request.file, { name, bench: request.bench });
    const root = ProjectRoot.open(projectRoot, { field });
    try {
      const list = FileList.load(root, names.folder, name);
      const folder = SeriesFolder.open(projectRoot, names.folder);
      try {
        names.continueAfter(folder.list());
      } finally {
        folder.close();
      }
      names.continueAfter(list.files.map(({ file }) => file));
      return new NumberedFiles(options, names, list);
    } finally {
      root.close();
    }
  }

  get hasNumber(): boolean {
    return this.#names.hasNumber;
  }

  get files(): readonly RecordedFile[] {
    return this.#list.files.slice(-maxShownFiles).map((entry) => shown(this.#names.folder, entry));
  }

  open(fileUnixUs: number): OpenFile {
    return this.#withName(fileUnixUs, (name) => this.#create(name, fileUnixUs));
  }

  check(fileUnixUs: number): void {
    this.#withName(fileUnixUs, (name) => this.#openFile(name).discard());
  }

  #withName<T>(fileUnixUs: number, act: (name: string) => T): T {
    for (let taken = 0; ; taken++) {
      const name = this.#names.next(fileUnixUs);
      try {
        return act(name);
      } catch (thrown) {
        if (BusbarError.from(thrown).code !== 'already_exists') throw thrown;
        const { hasNumber, folder } = this.#names;
        if (!hasNumber) throw notNumbered(folder + name);
        if (taken === maxTakenNames) throw thrown;
        this.#names.take();
      }
    }
  }

  pathOf({ file }: ListedFile): string {
    return this.#names.folder + file;
  }

  get listBytes(): number {
    return this.#list.bytes;
  }

  changed(): void {
    this.#list.changed();
  }

  leave({ trace, entry }: OpenFile): void {
    this.#list.close(entry);
    this.#closed.add(trace.file, entry);
  }

  save(): void {
    void this.#closed.save();
  }

  saveNow(): void {
    const root = ProjectRoot.open(this.#options.projectRoot, { field });
    try {
      this.#list.saveNow(root, this.#names.folder);
    } finally {
      root.close();
    }
  }

  settled(): Promise<void> {
    return this.#closed.settled();
  }

  #openFile(name: string): RecordingFile {
    const { projectRoot, calls, request } = this.#options;
    const path = this.#names.folder + name;
    if (request.compress) this.#refuseCompressed(name);
    return RecordingFile.open({ projectRoot, file: path, overwrite: false }, calls);
  }

  /** A file that the list could not name is not begun: it would never be removed. */
  #create(name: string, fileUnixUs: number): OpenFile {
    const path = this.#names.folder + name;
    const trace = begin(this.#openFile(name), path, fileUnixUs, this.#options);
    const entry = this.#list.add(newFile(name));
    try {
      this.#inFolder((folder) => this.#list.write(folder));
    } catch (thrown) {
      this.#list.remove(entry);
      trace.file.discard();
      throw thrown;
    }
    this.#names.take();
    this.#closed.retain();
    return { trace, entry };
  }

  /** The compressed file must not replace another one either. */
  #refuseCompressed(name: string): void {
    const compressed = compressedName(name, this.#options.request.format);
    if (compressed === null || compressed === name) return;
    if (!this.#inFolder((folder) => folder.list().includes(compressed))) return;
    throw alreadyExists({ path: this.#names.folder + compressed, field });
  }

  #inFolder<T>(act: (folder: SeriesFolder) => T): T {
    const folder = SeriesFolder.open(this.#options.projectRoot, this.#names.folder);
    try {
      return act(folder);
    } finally {
      folder.close();
    }
  }
}
