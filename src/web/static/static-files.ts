import { type BigIntStats, closeSync, fstatSync } from 'node:fs';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { OpenFile, ProjectRoot } from '../../base/files/project-root.ts';
import { limits } from '../../operations/limits.ts';
import { cacheControlOf } from './cache-policy.ts';
import { ContentHashes } from './content-hashes.ts';
import { FileContents } from './file-contents.ts';
import { matchesEntityTag } from './if-none-match.ts';
import { mediaTypeOf } from './media-types.ts';
import { notServed, requestedFile } from './request-path.ts';

/** Names in lower case, as Node's HTTP server gives them. */
export type StaticRequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface StaticAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** Kept for the next request; not to be changed. */
  readonly body: Buffer | undefined;
}

/** The largest file that is served: a response is a response, whatever it carries. */
export const largestStaticFile = limits.responseBytes;

/** Trouble of the machine's, which must not look as if the file were not there. */
const passingTrouble: readonly unknown[] = ['EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'EBADF'];

/** Where the documentation is found, which is no part of a Web root. */
const documentation = 'docs/';

/**
 * Serves the files below a Web root, read-only, and the documentation that comes with the product. Every request walks the path anew through the
 * confined root, so a link that is put in place later is refused like one that was always there;
 * hashes and contents are kept by what the file system says of a file. There are no listings, no
 * redirects and no ranges.
 */
export class StaticFiles {
  readonly #root: ProjectRoot;
  readonly #site: ProjectRoot | null;
  readonly #hashes = new ContentHashes();
  readonly #contents = new FileContents();

  /** The roots stay the caller's, to close. */
  constructor(root: ProjectRoot, site: ProjectRoot | null = null) {
    this.#root = root;
    this.#site = site;
  }

  /** Throws `invalid_argument` for a malformed path and `endpoint_not_found` for what is not served. */
  lookup(
    rawPathname: string,
    requestHeaders: StaticRequestHeaders,
    method: 'GET' | 'HEAD' = 'GET',
  ): StaticAnswer {
    const file = requestedFile(rawPathname);
    const { fd } = this.#open(rawPathname, file);
    try {
      const stats = fstatSync(fd, { bigint: true });
      assertServable(rawPathname, stats);
      return this.#answer(file, fd, stats, requestHeaders, method);
    } finally {
      closeSync(fd);
    }
  }

  #open(rawPathname: string, file: string): OpenFile {
    try {
      return this.#site !== null && file.startsWith(documentation)
        ? this.#site.openForReading(file.slice(documentation.length))
        : this.#root.openForReading(file);
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      const isTrouble =
        error.code === 'internal_error' || passingTrouble.includes(error.details.reason);
      throw isTrouble ? error : notServed(rawPathname, error);
    }
  }

  #answer(
    file: string,
    fd: number,
    stats: BigIntStats,
    requestHeaders: StaticRequestHeaders,
    method: 'GET' | 'HEAD',
  ): StaticAnswer {
    const etag = `"${this.#hashes.of(fd, stats)}"`;
    const validators = { etag, 'cache-control': cacheControlOf(file) };
    if (matchesEntityTag(requestHeaders['if-none-match'], etag)) {
      return { status: 304, headers: validators, body: undefined };
    }
    const body = method === 'HEAD' ? undefined : this.#contents.of(fd, stats);
    const headers = {
      'content-type': mediaTypeOf(file),
      'content-length': String(body?.length ?? stats.size),
      ...validators,
    };
    return { status: 200, headers, body };
  }
}

const assertServable = (rawPathname: string, { size }: BigIntStats): void => {
  if (size <= largestStaticFile) return;
  throw new BusbarError('response_too_large', {
    details: { path: rawPathname, limit: largestStaticFile },
  });
};
