import type { DatabaseMessage } from '../api/schema.ts';

/** Bytes of a CAN FD frame, by length code. */
export const fdLengths: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64];

/** Bytes that a length code stands for. */
export const dlcLength = (dlc: number, isFd: boolean): number =>
  isFd ? (fdLengths[dlc & 15] as number) : Math.min(dlc, 8);

/** Bytes of a frame that holds the message: CAN FD has not every length above 8. */
export const frameLength = ({ fd, length }: Pick<DatabaseMessage, 'fd' | 'length'>): number =>
  fd ? (fdLengths.find((each) => each >= length) ?? length) : length;
