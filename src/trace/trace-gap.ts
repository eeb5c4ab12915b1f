export interface TraceGap {
  readonly row: number;
  readonly timeNs: number;
  missed: number | null;
  /** Error of the file at this position; absent if it only reports missing events. */
  readonly reason?: string;
}

export const gapRemark = (missed: number | null): string =>
  `${missed ?? 'Some'} events are missing here`;

/** Visits the events and the gaps of a batch in their order. */
export const walkRows = (
  { count, gaps }: { readonly count: number; readonly gaps: readonly TraceGap[] },
  onRow: (row: number) => void,
  onGap: (gap: TraceGap) => void,
): void => {
  let next = 0;
  for (let row = 0; row < count; row++) {
    for (let gap = gaps[next]; gap && gap.row <= row; gap = gaps[++next]) onGap(gap);
    onRow(row);
  }
  for (let gap = gaps[next]; gap; gap = gaps[++next]) onGap(gap);
};

const remark = /^(?:(\d{1,15})|Some) events are missing here$/;

/** Parses a gap remark: null if the number is unknown, undefined if it is another remark. */
export const missedBy = (text: string): number | null | undefined => {
  const match = remark.exec(text.trimEnd());
  if (!match) return undefined;
  return match[1] === undefined ? null : Number(match[1]);
};
