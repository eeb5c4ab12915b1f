import { JsonSource } from '../../base/json/json-source.ts';
import { tableNames } from './fields.ts';
import type { Project } from './project.ts';
import { projectText } from './write-project.ts';

/** How many characters line breaks and margins add to a value that stands so deep. */
const spreadOf = (value: unknown, depth: number): number => {
  if (typeof value !== 'object' || value === null) return 0;
  if (value instanceof JsonSource) return value.spreadInLines('  ', '  '.repeat(depth));
  const inner = Object.values(value);
  // Each on a line of its own, with a margin and perhaps a blank before its value.
  let spread = inner.length * (2 * depth + 4) + 2 * depth + 1;
  for (const item of inner) spread += spreadOf(item, depth + 1);
  return spread;
};

/** Whether lines and margins alone are no more than a file may have; a text of more is never made. */
const canBeSpread = (project: Project, mostBytes: number): boolean => {
  let spread = 0;
  for (const rows of [[project.header], ...tableNames.map((name) => project[name])]) {
    for (const row of rows) {
      spread += spreadOf(row, 2);
      if (spread > mostBytes) return false;
    }
  }
  return true;
};

/** Rows are encoded in pieces of about this many characters: each alone would cost more than it holds. */
const pieceLength = 65_536;

const encodedWithin = (texts: Iterable<string>, mostBytes: number): Uint8Array[] | null => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let waiting = '';
  const encodeWaiting = (): void => {
    const piece = Buffer.from(waiting);
    size += piece.length;
    pieces.push(piece);
    waiting = '';
  };
  for (const text of texts) {
    waiting += text;
    if (waiting.length < pieceLength) continue;
    encodeWaiting();
    if (size > mostBytes) return null;
  }
  encodeWaiting();
  return size > mostBytes ? null : pieces;
};

/**
 * The bytes of a project as it is saved: in lines, or all in one where lines and margins would make
 * of a file that can be loaded one that cannot. Null if it is too large in either way, which takes
 * numbers such as 1e20 that have more digits when they are written out.
 */
export const savedPieces = (project: Project, mostBytes: number): Uint8Array[] | null => {
  const inLines = canBeSpread(project, mostBytes)
    ? encodedWithin(projectText(project), mostBytes)
    : null;
  return inLines ?? encodedWithin(projectText(project, { isInLines: false }), mostBytes);
};
