import { ApiError, changedFile } from './api-error.ts';
import { type Answer, call, pathOf, request, succeeded } from './client.ts';

const transferMs = 120_000;
/** Bytes of a part, so that its request stays within the limit for bodies. */
export const partBytes = 45_000;

export interface FileContent {
  readonly bytes: Uint8Array;
  /** Null for a file that does not exist. */
  readonly version: string | null;
}

export const readFile = (file: string): Promise<FileContent> =>
  request(pathOf('file.get', { file }), { limitMs: transferMs }, async (response) => {
    const answer = await succeeded(response);
    const version = answer.headers.get('etag')?.replaceAll('"', '') ?? null;
    return { bytes: new Uint8Array(await answer.arrayBuffer()), version };
  });

const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

const bytesOf = async (part: Blob): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await part.arrayBuffer());
  } catch {
    throw new ApiError(changedFile);
  }
};

interface WriteOptions {
  /** Version to replace; null for a new file. */
  readonly replaces?: string | null;
  readonly signal?: AbortSignal;
  readonly onProgress?: (sent: number) => void;
}

/** Writes a file in parts, and returns its version. */
export const writeFile = async (
  file: string,
  content: Blob,
  { replaces = null, signal, onProgress }: WriteOptions = {},
): Promise<string | null> => {
  const shared = { file, ...(replaces === null ? {} : { replaces }) };
  let upload: string | null = null;
  for (let offset = 0; ; ) {
    const end = Math.min(offset + partBytes, content.size);
    const data = base64(await bytesOf(content.slice(offset, end)));
    signal?.throwIfAborted();
    const part = { ...shared, data, offset, complete: end === content.size };
    const answer: Answer<'file.put'> = await call(
      'file.put',
      upload === null ? part : { ...part, upload },
      {
        limitMs: transferMs,
      },
    );
    onProgress?.(end);
    if (answer.upload === null) return answer.version;
    upload = answer.upload;
    offset = end;
  }
};
