import fc from 'fast-check';
import { dlcToLength } from '../dlc.ts';
import { type CanFrame, maxExtendedId, maxStandardId } from '../frame.ts';
import type { Frm2Event } from '../frm2-event.ts';

const identity = fc.oneof(
  fc.record({ extended: fc.constant(false), id: fc.integer({ min: 0, max: maxStandardId }) }),
  fc.record({ extended: fc.constant(true), id: fc.integer({ min: 0, max: maxExtendedId }) }),
);

const longRuns = [0x00, 0xff, 0x0f, 0xf8, 0x83, 0x00, 0xff, 0xf0] as const;

/** Random bytes, and bytes that need many stuff bits. */
const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(fc.uint8Array({ minLength: length, maxLength: length }), fc.boolean())
    .map(([random, asRuns]) =>
      asRuns ? random.map((byte) => longRuns[byte % longRuns.length] ?? 0) : random,
    );

const content = fc
  .record({
    kind: fc.constantFrom('classic', 'remote', 'fd'),
    dlc: fc.integer({ min: 0, max: 15 }),
    brs: fc.boolean(),
    esi: fc.boolean(),
  })
  .chain(({ kind, dlc, brs, esi }) => {
    const fd = kind === 'fd';
    const remote = kind === 'remote';
    return bytes(remote ? 0 : dlcToLength(dlc, fd)).map((data) => ({
      bus: fd ? ('canfd' as const) : ('can' as const),
      remote,
      fd,
      brs: fd && brs,
      esi: fd && esi,
      error: false,
      dlc,
      data,
    }));
  });

/** Any CAN or CAN FD frame that a node can send. */
export const arbitraryCanFrame: fc.Arbitrary<CanFrame> = fc
  .tuple(identity, content)
  .map(([who, what]) => ({ ...who, ...what }));

const uint = (bits: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 2 ** bits - 1 });
const counter = fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1));

/** Any record that FRM2 can hold, whether or not such a frame makes sense. */
export const arbitraryEvent: fc.Arbitrary<Frm2Event> = fc.record({
  bus: fc.constantFrom('can', 'canfd', 'lin'),
  kind: fc.constantFrom('rx_frame', 'tx_complete'),
  channel: uint(16),
  dlc: fc.integer({ min: 0, max: 15 }),
  id: uint(32),
  flags: uint(32),
  status: uint(32),
  eventId: counter,
  sourceSequence: counter,
  streamEpoch: counter,
  timestampUs: counter,
  hardwareSequence: uint(16),
  filterHit: uint(8),
  checksum: uint(8),
  data: fc.uint8Array({ maxLength: 64 }),
});
