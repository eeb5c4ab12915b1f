import { closeSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { ProjectRoot } from '../base/files/project-root.ts';
import { readAtMost } from '../base/files/read-at-most.ts';
import { maxKeptFiles } from './recording-request.ts';
import type { SeriesFolder } from './series-folder.ts';

const field = 'file';
/**
 * Older files leave the list, so that a list of years is still written in one moment. `keep` gets
 * here only where the disk refuses to delete files.
 */
const maxListed = maxKeptFiles + 1000;
const maxBytes = 16 * 1024 * 1024;
/** The oldest files lose their gaps and triggers in a list that is larger. */
const maxMarkedBytes = maxBytes / 2;
const maxListedMarks = 100;

const eventId = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]);
const count = Type.Integer({ minimum: 0 });

const ListedFile = Type.Object({
  /** Name in the folder of the list: a path could lead elsewhere. */
  file: Type.String({ pattern: '^(?!\\.{1,2}$)[^/\\u0000]+$' }),
  first_event_id: eventId,
  last_event_id: eventId,
  frames: count,
  bytes: count,
  missed: count,
  /** The first ones, where a format has no remarks. */
  gaps: Type.Array(
    Type.Object({ after_event_id: eventId, missed: Type.Union([count, Type.Null()]) }),
  ),
  /** The first ones. */
  triggers: Type.Array(
    Type.Object({
      time_us: Type.Integer(),
      condition: Type.String(),
      /** How far the file reaches back before it. */
      pre_us: count,
      after_event_id: eventId,
    }),
  ),
  /** `compressing`: a file of this name with the ending `.gz` is the recorder's own. */
  state: Type.Enum(['open', 'closed', 'compressing', 'compressed']),
});
export type ListedFile = Static<typeof ListedFile>;

const FileListing = Type.Object({ recorder: Type.String(), files: Type.Array(ListedFile) });

export const newFile = (file: string): ListedFile => ({
  file,
  first_event_id: null,
  last_event_id: null,
  frames: 0,
  bytes: 0,
  missed: 0,
  gaps: [],
  triggers: [],
  state: 'open',
});

export const addGap = (file: ListedFile, afterId: number | null, missed: number | null): void => {
  file.missed += missed ?? 0;
  if (file.gaps.length === maxListedMarks) return;
  file.gaps.push({ after_event_id: afterId, missed });
};

export interface TriggerMark {
  readonly time_us: number;
  readonly condition: string;
  readonly pre_us: number;
}

export const addTrigger = (file: ListedFile, afterId: number | null, mark: TriggerMark): void => {
  if (file.triggers.length === maxListedMarks) return;
  file.triggers.push({ ...mark, after_event_id: afterId });
};

const lineOf = (file: ListedFile): string => `    ${JSON.stringify(file)}`;

const hasMarks = ({ gaps, triggers }: ListedFile): boolean => gaps.length + triggers.length > 0;

/** The list as lines. What it can do without is removed until it can be read again. */
const linesOf = (files: readonly ListedFile[]): string[] => {
  const lines = files.map(lineOf);
  let bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
  for (const [index, file] of files.entries()) {
    if (bytes <= maxMarkedBytes) break;
    if (!hasMarks(file)) continue;
    file.gaps = [];
    file.triggers = [];
    bytes -= Buffer.byteLength(lines[index] as string);
    lines[index] = lineOf(file);
    bytes += Buffer.byteLength(lines[index] as string);
  }
  return lines;
};

const empty = { recorder: '', files: [] };

const read = (root: ProjectRoot, path: string): unknown => {
  const { fd } = root.openForReading(path, { field });
  try {
    const bytes = readAtMost(fd, maxBytes);
    // Lists were once replaced without a sync, and a power cut could leave them empty.
    return bytes.length === 0 ? empty : JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
};

const isMissing = (thrown: unknown): boolean =>
  thrown instanceof BusbarError && thrown.code === 'file_not_found';

/** Files of a recorder, in `<name>.files.json` next to them. Only these are ever removed. */
export class FileList {
  readonly name: string;
  readonly #recorder: string;
  readonly #files: ListedFile[];
  /**
   * Files that a killed recorder left: their counts are those of its last save. They stay open in
   * the list until they are counted.
   */
  readonly left: readonly ListedFile[];
  /** Size of the list when it was last written. */
  bytes = 0;
  #version = 0;
  /** In the file, and safe against a power cut. */
  #savedVersion = 0;

  private constructor(recorder: string, files: readonly ListedFile[]) {
    this.#recorder = recorder;
    this.name = FileList.nameOf(recorder);
    this.#files = [...files];
    this.left = files.filter(({ state }) => state === 'open');
  }

  static nameOf(recorder: string): string {
    return `${recorder}.files.json`;
  }

  static load(root: ProjectRoot, folder: string, recorder: string): FileList {
    const path = folder + FileList.nameOf(recorder);
    try {
      const found = read(root, path);
      if (Value.Check(FileListing, found)) return new FileList(recorder, found.files);
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown;
      return new FileList(recorder, []);
    }
    throw new BusbarError('already_exists', {
      message: `The file exists and is not the list of the recorder's files: ${path}`,
      details: { field, path, reason: 'not_a_file_list' },
    });
  }

  get files(): readonly ListedFile[] {
    return this.#files;
  }

  get isSaved(): boolean {
    return this.#savedVersion === this.#version;
  }

  add(file: ListedFile): ListedFile {
    this.#files.push(file);
    this.changed();
    return file;
  }

  /** The file is complete, and the oldest one leaves a list that is full. */
  close(file: ListedFile): void {
    file.state = 'closed';
    if (this.#files.length > maxListed) this.#files.shift();
    this.changed();
  }

  remove(file: ListedFile): void {
    const index = this.#files.indexOf(file);
    if (index >= 0) this.#files.splice(index, 1);
    this.changed();
  }

  /** Returns the version that has the change. */
  changed(): number {
    this.#version += 1;
    return this.#version;
  }

  hasSaved(version: number): boolean {
    return this.#savedVersion >= version;
  }

  /** Does not block. A later version that was written meanwhile stays. */
  async save(folder: SeriesFolder): Promise<void> {
    const version = this.#version;
    const text = this.#text();
    const isLatest = (): boolean => this.#savedVersion <= version;
    if (!(await folder.replace(this.name, (file) => file.writeFile(text), isLatest))) return;
    this.#savedVersion = version;
  }

  /** Writes the list of a file that begins, which waits for it. */
  write(folder: SeriesFolder): void {
    folder.replaceNow(this.name, this.#text());
    this.#savedVersion = this.#version;
  }

  saveNow(root: ProjectRoot, folder: string): void {
    root.replaceFile(folder + this.name, [Buffer.from(this.#text())], { field });
    this.#savedVersion = this.#version;
  }

  #text(): string {
    const lines = linesOf(this.#files);
    const files = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
    const text = `{\n  "recorder": ${JSON.stringify(this.#recorder)},\n  "files": ${files}\n}\n`;
    this.bytes = text.length;
    return text;
  }
}
