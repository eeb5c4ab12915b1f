import { pageBytes } from '../../operations/limits.ts';

/** As many of the first items as an answer has room for. */
export const fittingPage = <Item extends object>(items: readonly Item[]): readonly Item[] => {
  let room = pageBytes;
  const end = items.findIndex((item) => {
    room -= Buffer.byteLength(JSON.stringify(item)) + 1;
    return room < 0;
  });
  return end < 0 ? items : items.slice(0, end);
};
