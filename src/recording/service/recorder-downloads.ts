import { closeSync } from 'node:fs';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { FileDownload, type FoundFile } from '../../base/files/file-download.ts';
import { identityOf } from '../../base/files/file-identity.ts';
import { notFound } from '../../base/files/path-refusals.ts';
import { ProjectRoot } from '../../base/files/project-root.ts';

const field = 'file';

/** Walks a path inside the project, in a thread that may block. */
export const findProjectFile = (projectRoot: string, file: string): FoundFile => {
  const root = ProjectRoot.open(projectRoot, { field });
  try {
    const { fd, path } = root.openForReading(file, { field });
    try {
      return { path, identity: identityOf(fd) };
    } finally {
      closeSync(fd);
    }
  } finally {
    root.close();
  }
};

export interface RecorderDownloadsOptions {
  readonly atOnce: number;
  /** Files that a recorder lists. */
  readonly filesOf: (recorder: string) => Promise<readonly string[]>;
  readonly find: (file: string) => Promise<FoundFile>;
}

/** Files of recorders for clients: only those that their recorder lists. */
export class RecorderDownloads {
  readonly #options: RecorderDownloadsOptions;
  #open = 0;

  constructor(options: RecorderDownloadsOptions) {
    this.#options = options;
  }

  async open(recorder: string, file: string): Promise<FileDownload> {
    const { atOnce, filesOf, find } = this.#options;
    const named = { path: file, field };
    if (!(await filesOf(recorder)).includes(file)) throw notFound(named);
    if (this.#open >= atOnce) {
      throw new BusbarError('busy', {
        message: `${atOnce} files are already being downloaded`,
        details: { field, limit: atOnce },
      });
    }
    this.#open += 1;
    const onClosed = (): void => {
      this.#open -= 1;
    };
    const found = await find(file).catch((thrown: unknown) => {
      onClosed();
      throw thrown;
    });
    return FileDownload.open(found, named, onClosed);
  }
}
