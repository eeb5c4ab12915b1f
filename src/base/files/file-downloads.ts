import { closeSync } from 'node:fs';
import { BusbarError } from '../errors/busbar-error.ts';
import { FileDownload, type FoundFile } from './file-download.ts';
import { identityOf } from './file-identity.ts';
import { isHidden } from './file-uploads.ts';
import { notFound } from './path-refusals.ts';
import { ProjectRoot } from './project-root.ts';

const field = 'file';

/** Walks a path inside the project, in a thread that may block. No link leads to a hidden file. */
export const findProjectFile = (projectRoot: string, file: string): FoundFile => {
  const root = ProjectRoot.open(projectRoot, { field });
  const assertTarget = (target: string): void => {
    if (isHidden(target) && !isHidden(file)) throw notFound({ path: file, field });
  };
  try {
    const { fd, path } = root.openForReading(file, { field, assertTarget });
    try {
      return { path, identity: identityOf(fd) };
    } finally {
      closeSync(fd);
    }
  } finally {
    root.close();
  }
};

interface FileDownloadsOptions {
  readonly atOnce: number;
  readonly find: (file: string) => Promise<FoundFile>;
}

/** Files of the project for clients, a limited number at a time. */
export class FileDownloads {
  readonly #options: FileDownloadsOptions;
  #open = 0;

  constructor(options: FileDownloadsOptions) {
    this.#options = options;
  }

  async open(file: string): Promise<FileDownload> {
    const { atOnce, find } = this.#options;
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
    return FileDownload.open(found, { path: file, field }, onClosed);
  }
}
