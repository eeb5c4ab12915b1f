export interface TraceGap {
  readonly row: number;
  readonly timeNs: number;
  missed: number | null;
}

export const gapRemark = (missed: number | null): string =>
  `${missed ?? 'Some'} events are missing here`;

const remark = /^(?:(\d{1,15})|Some) events are missing here$/;

/** Parses a gap remark: null if the number is unknown, undefined if it is another remark. */
export const missedBy = (text: string): number | null | undefined => {
  const match = remark.exec(text.trimEnd());
  if (!match) return undefined;
  return match[1] === undefined ? null : Number(match[1]);
};
