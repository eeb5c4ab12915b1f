import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, fstatSync, readSync } from 'node:fs';
import { extname } from 'node:path';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { OpenFile, ProjectRoot } from '../../base/files/project-root.ts';
import { limits } from '../../operations/limits.ts';

/** Characters allowed in a URL path; others must be percent-encoded. */
const urlText = /^[\x21-\x7e]*$/;

const forbidden = /[\x00-\x1f\x7f\\]/;

/** The same error for every file that is not served, so it does not reveal which rule applied. */
const notServed = (rawPathname: string, cause?: unknown): BusbarError =>
  new BusbarError('endpoint_not_found', { details: { path: rawPathname }, cause });

const malformed = (message: string): BusbarError => invalidArgument('path', message);

/** Decodes only once, so `%252e` is the name `%2e`. Overlong UTF-8 is malformed. */
const decoded = (segment: string): string => {
  let name: string;
  try {
    name = decodeURIComponent(segment);
  } catch {
    throw malformed('The path is not valid percent-encoded UTF-8');
  }
  if (forbidden.test(name)) {
    throw malformed('The path contains a backslash or a control character');
  }
  return name;
};

/**
 * No leading dot, which excludes `.`, `..` and hidden files. No colon, which other systems use
 * for drives and streams. No slash: an encoded one must not become a separator.
 */
const isServable = (name: string): boolean => name !== '' && !/^\.|[:/]/.test(name);

/**
 * The file of a request path, relative to the web root. `rawPathname` is the undecoded path
 * without the query. A trailing slash means the index of the directory.
 */
export const requestedFile = (rawPathname: string): string => {
  if (!urlText.test(rawPathname))
    throw malformed('The path contains characters that are invalid in a URL');
  if (!rawPathname.startsWith('/')) throw notServed(rawPathname);
  const names = rawPathname.slice(1).split('/').map(decoded);
  if (names.at(-1) === '') names[names.length - 1] = 'index.html';
  if (!names.every(isServable)) throw notServed(rawPathname);
  return names.join('/');
};

const chunkBytes = 64 * 1024;

const versionOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;

export class ContentHashes {
  readonly #capacity: number;
  readonly #known = new Map<string, string>();

  constructor(capacity = 256) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#known.size;
  }

  of(fd: number, stats: BigIntStats): string {
    const version = versionOf(stats);
    const hash = this.#known.get(version) ?? hashOf(fd, Number(stats.size));
    this.#known.delete(version);
    this.#known.set(version, hash);
    if (this.#known.size > this.#capacity) this.#forgetOldest();
    return hash;
  }

  #forgetOldest(): void {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

const hashOf = (fd: number, size: number): string => {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(Math.min(size, chunkBytes));
  for (let position = 0; position < size; ) {
    const read = readSync(fd, chunk, 0, Math.min(chunk.length, size - position), position);
    if (read === 0) break;
    hash.update(chunk.subarray(0, read));
    position += read;
  }
  return hash.digest('base64url');
};

/** Many times the size of the packaged console. */
const defaultCapacity = 8 * 1024 * 1024;

/** Overhead of an entry, so that empty files count too. */
const entryBytes = 512;

export class FileContents {
  readonly #capacity: number;
  readonly #kept = new Map<string, Buffer>();
  #bytes = 0;

  constructor(capacity = defaultCapacity) {
    this.#capacity = capacity;
  }

  get bytes(): number {
    return this.#bytes;
  }

  of(fd: number, stats: BigIntStats): Buffer {
    const version = versionOf(stats);
    const known = this.#kept.get(version);
    const content = known ?? contentOf(fd, Number(stats.size));
    this.#kept.delete(version);
    this.#kept.set(version, content);
    if (!known) this.#bytes += content.length + entryBytes;
    while (this.#bytes > this.#capacity) this.#forgetOldest();
    return content;
  }

  #forgetOldest(): void {
    for (const [version, { length }] of this.#kept) {
      this.#kept.delete(version);
      this.#bytes -= length + entryBytes;
      return;
    }
  }
}

const contentOf = (fd: number, size: number): Buffer => {
  const content = Buffer.allocUnsafeSlow(size);
  let length = 0;
  while (length < size) {
    const read = readSync(fd, content, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return content.subarray(0, length);
};

/** The content hash that a bundler puts before the extension; Vite uses eight characters. */
const hashPart = /[-.]([A-Za-z0-9_-]{8}|[A-Za-z0-9_]{9,})\.[A-Za-z0-9]+$/;

/**
 * A word such as `channels` in `list-channels.js` also matches the pattern, and caching it for
 * a year would pin an old console. So the part must look random: digits and inner capitals, as
 * in base64 and base32, or a hexadecimal number with digits and letters. Any other hash is
 * revalidated.
 */
const looksRandom = (part: string): boolean =>
  /\d/.test(part) && (/.[A-Z]/.test(part) || /^(?=.*[a-f])[0-9a-f]+$/.test(part));

/**
 * Cache-Control of a file: immutable if its name contains a content hash, otherwise revalidated.
 */
export const cacheControlOf = (file: string): string => {
  const part = file.endsWith('.html') ? undefined : hashPart.exec(file)?.[1];
  return part !== undefined && looksRandom(part)
    ? 'public, max-age=31536000, immutable'
    : 'no-cache';
};

const byExtension: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

const mediaTypeOf = (file: string): string =>
  byExtension[extname(file).toLowerCase()] ?? 'application/octet-stream';

const opaqueTags = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * True if an If-None-Match header contains the current tag. The comparison is weak (RFC 9110,
 * 8.8.3.2): a `W/` prefix is ignored.
 */
export const matchesEntityTag = (
  header: string | readonly string[] | undefined,
  entityTag: string,
): boolean => {
  if (header === undefined) return false;
  const text = typeof header === 'string' ? header : header.join(', ');
  const tags: readonly string[] = text.match(opaqueTags) ?? [];
  return text.trim() === '*' || tags.includes(entityTag);
};

/** Names in lower case, as in Node's HTTP server. */
export type StaticRequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface StaticAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** Cached and shared; must not be changed. */
  readonly body: Buffer | undefined;
}

/** The largest file served, equal to the limit of other responses. */
export const maxStaticFile = limits.responseBytes;

/** System errors that must not be reported as a missing file. */
const passingError: readonly unknown[] = ['EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'EBADF'];

/** Path of the documentation, which is outside the web root. */
const documentation = 'docs/';

/**
 * Serves the files below a web root, read-only, and the packaged documentation. Every request
 * walks the path through the confined root, so links created later are checked too. Hashes and
 * contents are cached by file metadata. Listings, redirects and ranges are not supported.
 */
export class StaticFiles {
  readonly #root: ProjectRoot;
  readonly #site: ProjectRoot | null;
  readonly #hashes = new ContentHashes();
  readonly #contents = new FileContents();

  /** The caller owns and closes the roots. */
  constructor(root: ProjectRoot, site: ProjectRoot | null = null) {
    this.#root = root;
    this.#site = site;
  }

  /**
   * Throws `invalid_argument` for a malformed path and `endpoint_not_found` for a file that is
   * not served.
   */
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
      const isError =
        error.code === 'internal_error' || passingError.includes(error.details.reason);
      throw isError ? error : notServed(rawPathname, error);
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
  if (size <= maxStaticFile) return;
  throw new BusbarError('response_too_large', {
    details: { path: rawPathname, limit: maxStaticFile },
  });
};
