import { firstYear, isTellable, lastYear } from '../trace-start.ts';

/**
 * SYSTEMTIME: eight 16-bit words, year, month, weekday, day, hour, minute, second and millisecond,
 * without a zone. Vector's tools write the local time of their machine, and so do we: a recording
 * shows the same time of day there and here. A file from another zone is off by whole hours, which
 * nothing in it could tell.
 */
const word = (view: DataView, at: number, index: number): number =>
  view.getUint16(at + 2 * index, true);

/** Unix microseconds; null where the file has no time or none that exists. */
export const readSystemTime = (view: DataView, at: number): number | null => {
  const year = word(view, at, 0);
  const month = word(view, at, 1);
  const day = word(view, at, 3);
  if (year < firstYear || year > lastYear || month < 1 || month > 12 || day < 1 || day > 31)
    return null;
  const time = new Date(
    year,
    month - 1,
    day,
    word(view, at, 4),
    word(view, at, 5),
    word(view, at, 6),
    word(view, at, 7),
  );
  return time.getTime() * 1000;
};

/** Leaves the words at 0, which is how a file says that it does not know, where there is no date. */
export const writeSystemTime = (view: DataView, at: number, unixMs: number): void => {
  if (!isTellable(unixMs)) return;
  const time = new Date(unixMs);
  const words = [
    time.getFullYear(),
    time.getMonth() + 1,
    time.getDay(),
    time.getDate(),
    time.getHours(),
    time.getMinutes(),
    time.getSeconds(),
    time.getMilliseconds(),
  ];
  words.forEach((value, index) => {
    view.setUint16(at + 2 * index, value, true);
  });
};
