import fc from 'fast-check';
import { expect } from 'vitest';
import { bytesOf, hexOf } from '../../pdu/testing/bytes-of.ts';
import type { FrameReceiver, Framing } from '../framing.ts';
import type { FrameVector } from './frame-vectors.ts';
import { asRecorded, type FrameToSend, FramingRecorder } from './framing-recorder.ts';

export interface FramingSubject {
  readonly create: (receiver: FrameReceiver) => Framing;
  readonly vectors: readonly FrameVector[];
  /** How a vector looks on the wire; transaction 0 where the framing carries one. */
  readonly wire: (vector: FrameVector) => Uint8Array;
  /** PDUs that this end of a line may get. */
  readonly pdus: fc.Arbitrary<Uint8Array>;
  /** Bytes that begin no frame. */
  readonly noise: fc.Arbitrary<Uint8Array>;
  /** What begins like a frame and is longer than any. */
  readonly oversize: Uint8Array;
  /** Whether damage shows; otherwise only a damaged header does. */
  readonly hasChecksum: boolean;
  /** Whether it finds frames again after what is none; otherwise that ends the connection. */
  readonly resynchronises: boolean;
  /** Silence after which an unfinished frame is given up; null when it is waited for forever. */
  readonly maxPauseUs: number | null;
  /** Bytes as they would be had they been sent by our own side. */
  readonly normalized?: (bytes: Uint8Array) => Uint8Array;
}

/** Every run of the suites sees the same frames. */
export const runs = { seed: 502, numRuns: 200 };

/** Cuts bytes into pieces at places that a list of numbers names. */
export const cutAt = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const distinct = new Set(places.map((place) => place % (bytes.length + 1)));
  const cuts = [...distinct].sort((a, b) => a - b);
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length));
};

export const frameOf = ({ unit, pdu }: FrameVector): FrameToSend => ({ unit, pdu: bytesOf(pdu) });

/** A framing under test, and what can be asked of it at any time. */
export class FramingBench {
  readonly subject: FramingSubject;
  /** Frames that this end of a line may get. */
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

  /**
   * The line works again regardless of what happened before: after silence, or on a new
   * connection.
   */
  expectHealthy(recorder: FramingRecorder): void {
    recorder.passSilence();
    if (!this.subject.resynchronises) recorder.framing.reset();
    recorder.frames.splice(0);
    recorder.hear(recorder.encoded(this.sample));
    expect(recorder.frames).toEqual([asRecorded(this.sample)]);
    expect(recorder.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
  }

  /** Every reported frame is in the bytes as it would be encoded, in this order. */
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
