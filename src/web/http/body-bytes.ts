import type { Readable } from 'node:stream';
import { BusbarError } from '../../base/errors/busbar-error.ts';

const firstBytes = 1024;

/**
 * Reads a body into one piece of memory, whatever pieces it arrives in: kept as they come, bytes
 * that are sent one by one would each cost some hundred more.
 */
export const readBodyBytes = (body: Readable, limit: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    let length = 0;
    const makeRoom = (needed: number): void => {
      if (needed <= bytes.length) return;
      const grown = Buffer.alloc(Math.min(limit, Math.max(needed, 2 * bytes.length, firstBytes)));
      bytes.copy(grown, 0, 0, length);
      bytes = grown;
    };
    const take = (piece: Buffer): void => {
      if (length + piece.length > limit) {
        body.off('data', take);
        reject(new BusbarError('payload_too_large', { details: { limit } }));
        return;
      }
      makeRoom(length + piece.length);
      length += piece.copy(bytes, length);
    };
    body.on('data', take);
    body.once('end', () => resolve(bytes.subarray(0, length)));
    body.once('error', reject);
  });
