import { serialize } from 'node:v8';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { busOfFormat, type DatabaseBus } from '../database-name.ts';
import type { DatabaseSummary } from '../database-records.ts';
import { forDecoding, isDecodable } from '../for-decoding.ts';
import type { LinNetwork } from '../lin-model.ts';
import type { MessageHead } from '../message-index.ts';
import type { Database, Message } from '../model.ts';

/**
 * A database on its way to the thread that decodes: one block of memory that is moved, not
 * copied. Messages are unpacked when their first frame arrives.
 *
 *   bytes   [ message 0 ][ message 1 ] … [ message n ]
 *   ends                ▲             ▲              ▲
 */
export interface PackedDatabase {
  readonly name: string;
  readonly bus: DatabaseBus;
  /** Set for a LIN network. */
  readonly lin: LinNetwork | null;
  readonly heads: readonly MessageHead[];
  readonly ends: Float64Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const headBytes = 256;
const scheduleEntryBytes = 256;

const networkBytes = (lin: LinNetwork | null): number =>
  (lin?.scheduleTables ?? []).reduce((sum, { entries }) => sum + entries.length, 0) *
  scheduleEntryBytes;

/** Memory of a packed database, with that of its heads and schedules. */
export const packedBytes = ({ heads, bytes, lin }: PackedDatabase): number =>
  bytes.length + heads.length * headBytes + networkBytes(lin);

const headOf = ({ name, id, extended, pgn }: Message): MessageHead =>
  pgn === undefined ? { name, id, extended } : { name, id, extended, pgn };

/** Messages that are too large to decode keep their name only. */
export const packDatabase = (name: string, { format, messages, lin }: Database): PackedDatabase => {
  const pieces: Uint8Array[] = [];
  const ends = new Float64Array(messages.length);
  let end = 0;
  for (const [index, message] of messages.entries()) {
    const signals = isDecodable(message.signals) ? message.signals : [];
    const piece = serialize(forDecoding({ ...message, signals }));
    pieces.push(piece);
    end += piece.length;
    ends[index] = end;
  }
  const bytes = new Uint8Array(end);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  const bus = busOfFormat(format);
  return { name, bus, lin: lin ?? null, heads: messages.map(headOf), ends, bytes };
};

export interface ReloadedDatabase {
  readonly summary: DatabaseSummary;
  readonly packed: PackedDatabase | null;
}

/** Contents of all attached databases, packed; signals that frames need are also unpacked. */
export const maxAttachedBytes = 256 * 1024 * 1024;

export const noRoomForContents = (name: string): BusbarError =>
  new BusbarError('capacity_exceeded', {
    message: `Database ${name} is too large: attached databases together may take ${maxAttachedBytes} bytes`,
    details: { field: 'name', database: name, limit: maxAttachedBytes },
  });
