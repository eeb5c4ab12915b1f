/** A place where a trace says that events are missing. */
export interface TraceGap {
  /** The row of its batch that it stands before. */
  readonly row: number;
  readonly timeNs: number;
  /** How many; null if unknown. */
  missed: number | null;
}

/** The remark that stands in a file at such a place. */
export const gapRemark = (missed: number | null): string =>
  `${missed ?? 'Some'} events are missing here`;

const remark = /^(?:(\d{1,15})|Some) events are missing here$/;

/** How many events are missing by that remark: null if it does not say, undefined if it is another. */
export const missedBy = (text: string): number | null | undefined => {
  const match = remark.exec(text.trimEnd());
  if (!match) return undefined;
  return match[1] === undefined ? null : Number(match[1]);
};
