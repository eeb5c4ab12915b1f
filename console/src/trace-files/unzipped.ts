import { BusbarError } from '../../../src/base/errors/busbar-error.ts';

const gzipMagic = [0x1f, 0x8b] as const;
const partBytes = 8 * 1024 * 1024;

interface Unzipped {
  readonly plain: Blob;
  /** The compressed file ends early. */
  readonly isCut: boolean;
}

const isGzip = async (file: Blob): Promise<boolean> => {
  const head = new Uint8Array(await file.slice(0, gzipMagic.length).arrayBuffer());
  return gzipMagic.every((byte, i) => head[i] === byte);
};

const refusalOf = (thrown: unknown): unknown =>
  thrown instanceof DOMException
    ? thrown
    : new BusbarError('invalid_trace', {
        message: 'The gzip data is damaged',
        details: { field: 'file', reason: 'gzip' },
      });

/** Decompresses a gzip file; returns any other one as it is. Blobs can be larger than memory. */
export const unzipped = async (
  file: Blob,
  stopped: AbortSignal,
  onProgress: (readBytes: number) => void,
): Promise<Unzipped> => {
  if (!(await isGzip(file))) return { plain: file, isCut: false };
  let readBytes = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      readBytes += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const plain = file.stream().pipeThrough(counted).pipeThrough(new DecompressionStream('gzip'));
  const parts: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let held = 0;
  const keep = (): void => {
    parts.push(new Blob(chunks));
    chunks = [];
    held = 0;
    onProgress(readBytes);
  };
  const reader = plain.getReader();
  try {
    while (!stopped.aborted) {
      const { value } = await reader.read();
      if (!value) break;
      chunks.push(value);
      held += value.length;
      if (held >= partBytes) keep();
    }
    await reader.cancel();
    keep();
    return { plain: new Blob(parts), isCut: false };
  } catch (thrown) {
    keep();
    const whole = new Blob(parts);
    if (whole.size === 0) throw refusalOf(thrown);
    return { plain: whole, isCut: true };
  }
};
