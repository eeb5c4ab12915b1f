import type { Lane } from '../bench/outbox/lane.ts';
import type { SendResult } from '../drivers/send-result.ts';
import { type Frame, frameFlags, type LinFrame } from '../frame/frame.ts';
import { LinRead } from './lin-read.ts';

export type Submit = () => SendResult;

export interface Submission {
  readonly submit: Submit;
  readonly read: LinRead | undefined;
}

const linSubmission = (frame: LinFrame, lane: Lane): Submission => {
  const { id, dlc, data } = frame;
  const flags = frameFlags(frame);
  switch (frame.type) {
    case 'sync-break':
      return { submit: () => lane.syncBreak(), read: undefined };
    case 'master-write':
      return { submit: () => lane.masterWrite(id, flags, data, 0, data.length), read: undefined };
    case 'master-read': {
      const read = new LinRead(frame);
      return { submit: () => lane.masterRead(id, flags, dlc, read.done), read };
    }
  }
};

export const wakeUpSubmission = (lane: Lane): Submission => ({
  submit: () => lane.wakeUp(),
  read: undefined,
});

/** Prepares a frame, so that repeated sends allocate nothing. */
export const submissionOf = (frame: Frame, lane: Lane): Submission => {
  if (frame.bus === 'lin') return linSubmission(frame, lane);
  const { id, dlc, data } = frame;
  const flags = frameFlags(frame);
  return { submit: () => lane.send(id, flags, dlc, data, 0, data.length), read: undefined };
};
