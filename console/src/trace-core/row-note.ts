/** A note of a user about a frame. */
export interface RowNote {
  readonly eventId: number;
  readonly timestampUs: number;
  readonly text: string;
}

/** Events of another daemon can have the same ID. */
export const rowKey = (eventId: number, timestampUs: number): string => `${eventId} ${timestampUs}`;
