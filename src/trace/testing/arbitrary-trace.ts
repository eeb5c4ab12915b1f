import fc from 'fast-check';
import { dlcToLength } from '../../frame/dlc.ts';
import { errorCountBytes, putErrorCount } from '../../frame/error-count.ts';
import { maxExtendedId, maxLinId, maxStandardId } from '../../frame/frame.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { linChecksum, linMasterRequestId } from '../../frame/lin.ts';
import { traceDetail } from '../trace-batch.ts';
import type { TraceEvent } from './trace-events.ts';

type Content = Omit<TraceEvent, 'timeNs' | 'channel' | 'kind'>;

const bytes = (length: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 0, max: 0xff }), { minLength: length, maxLength: length });

const upTo = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });

const countBytes = (count: number): number[] => {
  const counted = new Uint8Array(errorCountBytes);
  putErrorCount(counted, 0, count);
  return [...counted];
};

const canId = fc.oneof(
  fc.record({ id: upTo(maxStandardId), flags: fc.constant(0) }),
  fc.record({ id: upTo(maxExtendedId), flags: fc.constant(frameFlag.extended as number) }),
);

const classic: fc.Arbitrary<Content> = fc
  .tuple(canId, upTo(15), fc.boolean())
  .chain(([{ id, flags }, dlc, isRemote]) =>
    bytes(isRemote ? 0 : dlcToLength(dlc, false)).map((data) => ({
      bus: busCode.can,
      id,
      flags: flags | (isRemote ? frameFlag.remote : 0),
      dlc,
      checksum: 0,
      data,
    })),
  );

const fd: fc.Arbitrary<Content> = fc
  .tuple(canId, upTo(15), fc.boolean(), fc.boolean())
  .chain(([{ id, flags }, dlc, brs, esi]) =>
    bytes(dlcToLength(dlc, true)).map((data) => ({
      bus: busCode.canfd,
      id,
      flags: flags | frameFlag.fd | (brs ? frameFlag.brs : 0) | (esi ? frameFlag.esi : 0),
      dlc,
      checksum: 0,
      data,
    })),
  );

const manyErrors = fc.oneof(
  fc.integer({ min: 2, max: 20 }),
  fc.integer({ min: 100_000, max: 0xffff_ffff }),
);

/** One error frame, or many equal ones combined. */
const canError: fc.Arbitrary<Content> = fc
  .tuple(upTo(0x3ff), bytes(8), fc.boolean(), manyErrors)
  .map(([id, details, isOne, count]) => ({
    bus: busCode.can,
    id,
    flags: frameFlag.error,
    dlc: 8,
    checksum: 0,
    data: isOne ? details : [...details, ...countBytes(count)],
  }));

const linFrame: fc.Arbitrary<Content> = fc
  .tuple(upTo(maxLinId - 4), upTo(8), fc.boolean(), fc.boolean())
  .chain(([id, dlc, enhanced, isBad]) =>
    bytes(dlc).map((data) => {
      const checksum = linChecksum(enhanced, id, Uint8Array.from(data), 0, dlc);
      return {
        bus: busCode.lin,
        id,
        flags: (enhanced ? frameFlag.enhancedChecksum : 0) | (isBad ? frameFlag.checksumError : 0),
        dlc,
        checksum: isBad ? checksum ^ 0x55 : checksum,
        data,
      };
    }),
  );

const linSleep: fc.Arbitrary<Content> = bytes(7).map((rest) => {
  const data = [0, ...rest];
  return {
    bus: busCode.lin,
    id: linMasterRequestId,
    flags: frameFlag.sleep,
    dlc: 8,
    checksum: linChecksum(false, linMasterRequestId, Uint8Array.from(data), 0, 8),
    data,
  };
});

const linNotice = (flags: number, id: fc.Arbitrary<number>, dlc: fc.Arbitrary<number>) =>
  fc
    .record({ id, dlc })
    .map((content): Content => ({ bus: busCode.lin, flags, checksum: 0, data: [], ...content }));

/**
 * Content found only in files of other tools: frames without a checksum, wake-up bytes, and
 * more error details.
 */
const linOfOthers: fc.Arbitrary<Content> = fc.oneof(
  // Their checksum is not 0, which BLF has for an unknown one.
  fc.tuple(upTo(maxLinId - 4), upTo(0x3f)).map(([id, byte]) => ({
    bus: busCode.lin,
    id,
    flags: 0,
    dlc: 2,
    checksum: 0,
    detail: traceDetail.noChecksum | traceDetail.noModel,
    data: [0, byte],
  })),
  fc.integer({ min: 1, max: 0xff }).map((byte) => ({
    bus: busCode.lin,
    id: 0,
    flags: frameFlag.wakeUp,
    dlc: 1,
    checksum: 0,
    data: [byte],
  })),
  fc.tuple(upTo(maxLinId), upTo(8), fc.boolean()).chain(([id, dlc, hasData]) =>
    bytes(hasData ? dlc : 0).map((data) => ({
      bus: busCode.lin,
      id,
      flags: frameFlag.error,
      dlc,
      checksum: 0,
      data,
    })),
  ),
  bytes(7).map((edges) => ({
    bus: busCode.lin,
    id: 0,
    flags: frameFlag.error,
    dlc: 0,
    checksum: 0,
    detail: traceDetail.noId | traceDetail.syncError,
    data: [1, ...edges],
  })),
);

/** Anything that a channel reports, as in its FRM2 record, and additional content of files. */
const content: fc.Arbitrary<Content> = fc.oneof(
  { weight: 4, arbitrary: classic },
  { weight: 4, arbitrary: fd },
  { weight: 1, arbitrary: canError },
  { weight: 3, arbitrary: linFrame },
  { weight: 1, arbitrary: linSleep },
  { weight: 2, arbitrary: linOfOthers },
  { weight: 1, arbitrary: linNotice(frameFlag.noResponse, upTo(maxLinId), upTo(8)) },
  { weight: 1, arbitrary: linNotice(frameFlag.wakeUp, fc.constant(0), fc.constant(0)) },
  { weight: 1, arbitrary: linNotice(frameFlag.syncBreak, fc.constant(0), fc.constant(0)) },
);

const origin = fc.record({
  channel: fc.integer({ min: 1, max: 6 }),
  kind: fc.constantFrom<number>(eventKindCode.rx_frame, eventKindCode.tx_complete),
});

const pauseNs = fc.oneof(upTo(1000), upTo(3_000_000), upTo(90e9));

/** Events in the order of their times, from the start of the trace on. */
export const arbitraryEvents = (minLength = 0, maxLength = 40): fc.Arbitrary<TraceEvent[]> =>
  fc
    .array(fc.tuple(content, origin, pauseNs), { minLength, maxLength, size: 'max' })
    .map((parts) => {
      let timeNs = 0;
      return parts.map(([what, where, pause]) => {
        timeNs += pause;
        return { timeNs, ...where, ...what };
      });
    });

/**
 * Start times of traces: any microsecond of a winter's day, because some formats contain local
 * time, which is ambiguous in the hour when summer time ends.
 */
export const arbitraryStartUs: fc.Arbitrary<number> = fc.oneof(
  upTo(20 * 3600e6).map((us) => Date.UTC(2026, 0, 20) * 1000 + us),
  fc.constantFrom(
    Date.UTC(2001, 1, 1, 12, 34, 56, 789) * 1000 + 1,
    Date.UTC(2037, 11, 31, 23, 59, 59, 999) * 1000 + 999,
  ),
);
