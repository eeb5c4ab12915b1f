import fc from 'fast-check';
import { expect } from 'vitest';
import { bytesOf, hexOf } from '../../pdu/testing/bytes-of.ts';
import type { FrameReceiver, Framing } from '../framing.ts';
import type { FrameVector } from './frame-vectors.ts';
import { asRecorded, type FrameToSend, FramingRecorder } from './framing-recorder.ts';

export interface FramingSubject {
  readonly create: (receiver: FrameReceiver) => Framing;
  readonly vectors: readonly FrameVector[];
  /** A vector on the wire; transaction 0 if the framing has one. */
  readonly wire: (vector: FrameVector) => Uint8Array;
  /** PDUs that this end may receive. */
  readonly pdus: fc.Arbitrary<Uint8Array>;
  /** Bytes that begin no frame. */
  readonly noise: fc.Arbitrary<Uint8Array>;
  /** Bytes that begin like a frame but exceed the maximum length. */
  readonly oversize: Uint8Array;
  /** Whether damage is detected; otherwise only in the header. */
  readonly hasChecksum: boolean;
  /** Whether it resynchronizes after garbage; otherwise the connection ends. */
  readonly resynchronises: boolean;
  /** Silence after which an unfinished frame is discarded; null if never. */
  readonly maxPauseUs: number | null;
  /** Bytes as if our own side had sent them. */
  readonly normalized?: (bytes: Uint8Array) => Uint8Array;
}

/** All suites use the same frames. */
export const runs = { seed: 502, numRuns: 200 };

/** Cuts bytes into pieces at the given positions. */
export const cutAt = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const distinct = new Set(places.map((place) => place % (bytes.length + 1)));
  const cuts = [...distinct].sort((a, b) => a - b);
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length));
};

export const frameOf = ({ unit, pdu }: FrameVector): FrameToSend => ({ unit, pdu: bytesOf(pdu) });

/** A framing under test, and its requirements. */
export class FramingBench {
  readonly subject: FramingSubject;
  /** Frames that this end may receive. */
  readonly frames: fc.Arbitrary<FrameToSend>;
  readonly sample: FrameToSend;

  constructor(subject: FramingSubject) {
    this.subject = subject;
    const { carriesTransactions } = this.newRecorder().framing;
    this.frames = fc.record({
      transaction: carriesTransactions ? fc.nat(0xffff) : fc.constant(0),
      unit: fc.integer({ min: 1, max: 247 }),
      pdu: subject.pdus,
    });
    this.sample = { ...frameOf(subject.vectors[0] as FrameVector), unit: 0x12 };
  }

  newRecorder(): FramingRecorder {
    return new FramingRecorder(this.subject.create);
  }

  normalized(bytes: Uint8Array): string {
    return hexOf(this.subject.normalized?.(bytes) ?? bytes);
  }

  /** The line recovers from any state: after silence, or on a new connection. */
  expectHealthy(recorder: FramingRecorder): void {
    recorder.passSilence();
    if (!this.subject.resynchronises) recorder.framing.reset();
    recorder.frames.splice(0);
    recorder.hear(recorder.encoded(this.sample));
    expect(recorder.frames).toEqual([asRecorded(this.sample)]);
    expect(recorder.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
  }

  /** Every reported frame is contained in the bytes as it would be encoded, in this order. */
  expectPresent(recorder: FramingRecorder, bytes: Uint8Array): void {
    const received = this.normalized(bytes);
    let from = 0;
    for (const { transaction, unit, pdu } of recorder.frames) {
      const encoded = hexOf(recorder.encoded({ transaction, unit, pdu: bytesOf(pdu) }));
      const at = received.indexOf(encoded, from);
      expect(at).toBeGreaterThanOrEqual(0);
      from = at + encoded.length;
    }
  }
}
