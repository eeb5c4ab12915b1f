import { stringifyJson } from '../../base/json/stringify-json.ts';
import { pageBytes } from '../../operations/limits.ts';
import type { Pause } from './page-queue.ts';

/** Text that is written before the thread turns to others. */
const sliceBytes = 64 * 1024;

/** The first items of a list as JSON. */
export interface ListPage {
  /** The items with commas between them. */
  readonly text: string;
  /** How many there are. */
  readonly count: number;
}

/** Writes as many of the first items as an answer has room for, slice by slice. */
export const writeListPage = async (items: Iterable<object>, pause: Pause): Promise<ListPage> => {
  const texts: string[] = [];
  let room = pageBytes;
  let slice = sliceBytes;
  for (const item of items) {
    const text = stringifyJson(item);
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > room) break;
    room -= bytes;
    slice -= bytes;
    texts.push(text);
    if (slice > 0) continue;
    slice = sliceBytes;
    await pause();
  }
  return { text: texts.join(), count: texts.length };
};
