import type { Lane } from '../../bench/outbox/lane.ts';
import type { LinControl, PortControl } from '../../drivers/driver-channel.ts';
import type { SendResult } from '../../drivers/send-result.ts';
import { dlcToLength, maxFdLength } from '../../frame/dlc.ts';
import { maxExtendedId, maxLinId, maxStandardId } from '../../frame/frame.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { hasEnhancedChecksum, linChecksumModel, maxLinLength } from '../../frame/lin.ts';
import { type TraceBatch, traceDetail } from '../../trace/trace-batch.ts';
import type { SkipReason } from './skip-reason.ts';

export interface RowSender {
  readonly isAnswering: boolean;
  send(batch: TraceBatch, row: number): SendResult | SkipReason;
  end(): void;
}

const canFlags =
  frameFlag.extended | frameFlag.remote | frameFlag.fd | frameFlag.brs | frameFlag.esi;

/** Returns whether a CAN controller could send this event. Files can contain anything. */
const isCanFrame = (batch: TraceBatch, row: number, flags: number): boolean => {
  if (batch.bus[row] === busCode.lin) return false;
  const highestId = (flags & frameFlag.extended) !== 0 ? maxExtendedId : maxStandardId;
  if ((batch.id[row] as number) > highestId) return false;
  const isRemote = (flags & frameFlag.remote) !== 0;
  const isFd = (flags & frameFlag.fd) !== 0;
  if (isRemote && isFd) return false;
  const length = isRemote ? 0 : dlcToLength(batch.dlc[row] as number, isFd);
  return batch.length[row] === length;
};

const canSender = (lane: Lane): RowSender => ({
  isAnswering: false,
  send(batch, row) {
    const flags = batch.flags[row] as number;
    if ((flags & frameFlag.error) !== 0) return 'error_frame';
    if (!isCanFrame(batch, row, flags)) return 'not_on_bus';
    return lane.send(
      batch.id[row] as number,
      flags & canFlags,
      batch.dlc[row] as number,
      batch.payload,
      row * maxFdLength,
      batch.length[row] as number,
    );
  },
  end() {},
});

/** Returns why an event cannot be sent as a LIN response on this channel. */
const linObstacle = (
  { settings }: LinControl,
  batch: TraceBatch,
  row: number,
): SkipReason | undefined => {
  const flags = batch.flags[row] as number;
  const length = batch.length[row] as number;
  if ((flags & frameFlag.error) !== 0) return 'error_frame';
  if (batch.bus[row] !== busCode.lin) return 'not_on_bus';
  if ((flags & frameFlag.syncBreak) !== 0) return 'sync_break';
  if ((flags & frameFlag.wakeUp) !== 0) return 'wake_up';
  if ((flags & frameFlag.checksumError) !== 0) return 'checksum_error';
  if ((flags & frameFlag.noResponse) !== 0 || length === 0) return 'no_response';
  if ((batch.id[row] as number) > maxLinId || length > maxLinLength) return 'not_on_bus';
  const isEnhanced = (flags & frameFlag.enhancedChecksum) !== 0;
  const canBe = !isEnhanced || !settings.lin || hasEnhancedChecksum(settings.lin.version);
  return canBe ? undefined : 'not_on_bus';
};

const linFlags = ({ settings }: LinControl, batch: TraceBatch, row: number): number => {
  if (((batch.detail[row] as number) & traceDetail.noModel) === 0) {
    return (batch.flags[row] as number) & frameFlag.enhancedChecksum;
  }
  const model = linChecksumModel(batch.id[row] as number, settings.lin?.checksum ?? 'classic');
  return model === 'enhanced' ? frameFlag.enhancedChecksum : 0;
};

/** The master also plays the slaves: their responses follow its own headers. */
const linMasterSender = (hardware: LinControl, lane: Lane): RowSender => ({
  isAnswering: false,
  send(batch, row) {
    const obstacle = linObstacle(hardware, batch, row);
    if (obstacle) return obstacle;
    return lane.masterWrite(
      batch.id[row] as number,
      linFlags(hardware, batch, row),
      batch.payload,
      row * maxFdLength,
      batch.length[row] as number,
    );
  },
  end() {},
});

/** A slave only responds: from its time, an event answers the next header. */
const linSlaveSender = (hardware: LinControl): RowSender => {
  const answered = new Uint8Array(maxLinId + 1);
  let isAnswering = false;
  return {
    get isAnswering() {
      return isAnswering;
    },
    send(batch, row) {
      const obstacle = linObstacle(hardware, batch, row);
      if (obstacle) return obstacle;
      const id = batch.id[row] as number;
      const length = batch.length[row] as number;
      const flags = linFlags(hardware, batch, row);
      hardware.setResponse(id, flags, batch.payload, row * maxFdLength, length);
      answered[id] = 1;
      isAnswering = true;
      return 'accepted';
    },
    end() {
      for (const [id, isAnswered] of answered.entries()) {
        if (isAnswered === 1) hardware.clearResponse(id);
      }
    },
  };
};

export const rowSenderOf = (hardware: PortControl, lane: Lane): RowSender => {
  if (hardware.bus !== 'lin') return canSender(lane);
  return hardware.settings.lin?.role === 'master'
    ? linMasterSender(hardware, lane)
    : linSlaveSender(hardware);
};
