import { type BusbarError, invalidArgument, withField } from '../base/errors/busbar-error.ts';
import type { Lane } from '../bench/outbox/lane.ts';
import type { PortControl } from '../drivers/driver-channel.ts';
import type { SendResult } from '../drivers/send-result.ts';
import type { ChecksumModel } from '../frame/frame.ts';
import type { Bus } from '../frame/frm2-layout.ts';
import type { LinModel } from '../frame/lin.ts';
import { frameFromText } from './frame-text.ts';
import { type Submission, type Submit, submissionOf } from './submit.ts';

export interface ListTarget {
  readonly bus: Bus;
  readonly lin?: LinModel | null | undefined;
}

const at = (index: number, thrown: unknown): BusbarError => withField('frames', thrown, { index });

/**
 * Rejects a list with an invalid frame; the error has its `index` from 0. Returns the number of
 * frames. Yields on long lists.
 */
export const checkFrameList = (
  frames: string,
  { bus, lin }: ListTarget,
  checksum: ChecksumModel | undefined,
  limit: number,
): number => {
  const lines = frames.split('\n');
  if (lines.length > limit) {
    throw invalidArgument('frames', `A list has at most ${limit} frames, not ${lines.length}`, {
      reason: 'too_many',
      limit,
    });
  }
  for (const [index, text] of lines.entries()) {
    try {
      frameFromText(text, bus, checksum, lin ?? undefined);
    } catch (thrown) {
      throw at(index, thrown);
    }
  }
  return lines.length;
};

/**
 * Submits the frames of a list one by one. Each is parsed just before it is sent, so that long
 * lists do not block the thread.
 */
export const listSubmission = (
  frames: string,
  hardware: PortControl,
  checksum: ChecksumModel | undefined,
  lane: Lane,
): Submission => {
  let start = 0;
  let index = 0;
  let current: Submit | undefined;
  const next = (): Submit => {
    const end = frames.indexOf('\n', start);
    const text = frames.slice(start, end < 0 ? undefined : end);
    start = end < 0 ? frames.length : end + 1;
    try {
      const frame = frameFromText(text, hardware.bus, checksum, hardware.settings.lin);
      return submissionOf(frame, lane).submit;
    } catch (thrown) {
      throw at(index, thrown);
    }
  };
  const submit = (): SendResult => {
    current ??= next();
    const result = current();
    if (result === 'accepted') {
      current = undefined;
      index += 1;
    }
    return result;
  };
  return { submit, read: undefined };
};
