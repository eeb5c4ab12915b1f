import type { Message, Signal } from '../../database/model.ts';

export { aSignal } from '../../database/testing/a-signal.ts';

/** A message with these signals. */
export const aMessage = (signals: readonly Signal[], length = 8): Message => ({
  name: 'Engine',
  id: 0x123,
  extended: false,
  fd: length > 8,
  brs: false,
  length,
  senders: [],
  cycleTimeMs: null,
  signals,
  comment: null,
  attributes: {},
});

/** Presence of a signal: the switch, and single values or ranges as `[from, to]`. */
export const when = (
  name: string,
  ...ranges: (number | readonly [number, number])[]
): NonNullable<Signal['multiplexing']> => ({
  switch: name,
  ranges: ranges.map((range) => {
    const [from, to] = typeof range === 'number' ? [range, range] : range;
    return { from: BigInt(from), to: BigInt(to) };
  }),
});

/** Memory of some bytes to read and write. */
export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
