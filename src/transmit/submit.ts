import type { DriverChannel, LinChannel, SendResult } from '../drivers/driver-channel.ts';
import { type Frame, frameFlags, type LinFrame } from '../frame/frame.ts';
import { LinRead } from './lin-read.ts';

/** Hands a frame to its channel, each time it is called. */
export type Submit = () => SendResult;

export interface Submission {
  readonly submit: Submit;
  /** Where the responses arrive, if the frame asks for one. */
  readonly read: LinRead | undefined;
}

const notOnBus: Submission = { submit: () => 'not_on_bus', read: undefined };

const linSubmission = (frame: LinFrame, hardware: LinChannel): Submission => {
  const { id, dlc, data } = frame;
  const flags = frameFlags(frame);
  switch (frame.type) {
    case 'sync-break':
      return { submit: () => hardware.syncBreak(), read: undefined };
    case 'master-write':
      return {
        submit: () => hardware.masterWrite(id, flags, data, 0, data.length),
        read: undefined,
      };
    case 'master-read': {
      const read = new LinRead(frame);
      return { submit: () => hardware.masterRead(id, flags, dlc, read.done), read };
    }
  }
};

/** Prepares a frame so that sending it again and again creates nothing. */
export const submissionOf = (frame: Frame, hardware: DriverChannel): Submission => {
  if (hardware.bus === 'lin') {
    return frame.bus === 'lin' ? linSubmission(frame, hardware) : notOnBus;
  }
  if (frame.bus === 'lin') return notOnBus;
  const { id, dlc, data } = frame;
  const flags = frameFlags(frame);
  return { submit: () => hardware.send(id, flags, dlc, data, 0, data.length), read: undefined };
};
