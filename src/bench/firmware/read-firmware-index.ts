import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { retryableUnlessLasting } from '../../base/errors/lasting-reasons.ts';
import { readAtMost } from '../../base/files/read-at-most.ts';
import type { Bench } from '../bench-record.ts';
import { type FirmwareIndex, invalidFirmwareIndex, parseFirmwareIndex } from './firmware-index.ts';

const maxIndex = 1024 * 1024;
const answerMs = 10_000;

export interface FoundFirmwareIndex {
  readonly index: string;
  readonly firmware: FirmwareIndex;
}

const unreachable = (
  index: string,
  reason: string,
  cause?: unknown,
  retryable = retryableUnlessLasting(reason),
): BusbarError =>
  new BusbarError('firmware_index_unreachable', {
    message: `The firmware index cannot be reached: ${reason}`,
    details: { index, reason },
    retryable,
    cause,
  });

const passingStatuses = [408, 425, 429];
const mayPass = (status: number): boolean => status >= 500 || passingStatuses.includes(status);

const tooLarge = (index: string): BusbarError =>
  invalidFirmwareIndex(index, [{ field: '', message: 'The file is larger than 1 MiB' }]);

const readFile = (path: string): Uint8Array => {
  let descriptor: number | undefined;
  try {
    // Opening a pipe of that name must not block.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(descriptor).isFile()) {
      throw unreachable(path, 'it is not a regular file', undefined, false);
    }
    const bytes = readAtMost(descriptor, maxIndex);
    if (bytes.length > maxIndex) throw tooLarge(path);
    return bytes;
  } catch (thrown) {
    if (thrown instanceof BusbarError) throw thrown;
    throw unreachable(path, (thrown as NodeJS.ErrnoException).code ?? 'unknown', thrown);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
};

const readBody = async (address: string, response: Response): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxIndex) throw tooLarge(address);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** `fetch` puts the reason of a failed request into its cause. */
const reasonOf = (thrown: unknown): string => {
  const { cause, message } = thrown as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
};

const download = async (address: string, clock: Clock): Promise<Uint8Array> => {
  const aborter = new AbortController();
  const timer = clock.after(answerMs, () => aborter.abort());
  try {
    const response = await fetch(address, { signal: aborter.signal });
    const { ok, status } = response;
    if (!ok) throw unreachable(address, `status ${status}`, undefined, mayPass(status));
    return await readBody(address, response);
  } catch (thrown) {
    if (thrown instanceof BusbarError) throw thrown;
    if (aborter.signal.aborted) throw unreachable(address, 'no response in time', thrown);
    throw unreachable(address, reasonOf(thrown), thrown);
  } finally {
    timer.cancel();
    // An unread body would keep the connection open.
    aborter.abort();
  }
};

export const readFirmwareIndex = async (
  { firmware_index, path }: Pick<Bench, 'firmware_index' | 'path'>,
  clock: Clock,
): Promise<FoundFirmwareIndex> => {
  if (firmware_index === null) throw new BusbarError('firmware_index_missing');
  const isAddress = /^https?:\/\//i.test(firmware_index);
  const index = isAddress ? firmware_index : resolve(dirname(path ?? ''), firmware_index);
  const bytes = isAddress ? await download(index, clock) : readFile(index);
  return { index, firmware: parseFirmwareIndex(index, bytes) };
};
