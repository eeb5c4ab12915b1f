import type { DriverChannel, LinChannel, LinReadDone } from '../../drivers/driver-channel.ts';
import type { SendResult } from '../../drivers/send-result.ts';
import { type FrameStore, txAction } from './frame-store.ts';

const checkLin = (port: LinChannel, action: number): SendResult => {
  const result = port.check();
  return result === 'not_master' && action === txAction.wakeUp ? 'accepted' : result;
};

export const checkFrame = (port: DriverChannel, store: FrameStore, slot: number): SendResult => {
  const action = store.action[slot] as number;
  const isCan = action === txAction.send;
  if (port.bus === 'lin') return isCan ? 'not_on_bus' : checkLin(port, action);
  return isCan ? port.check(store.flags[slot] as number) : 'not_on_bus';
};

export const sendFrame = (
  port: DriverChannel,
  store: FrameStore,
  slot: number,
  readDone: LinReadDone,
): SendResult => {
  const id = store.id[slot] as number;
  const flags = store.flags[slot] as number;
  const dlc = store.dlc[slot] as number;
  const length = store.length[slot] as number;
  const offset = store.offsetOf(slot);
  const action = store.action[slot];
  if (port.bus !== 'lin') {
    if (action !== txAction.send) return 'not_on_bus';
    const deadlineUs = store.deadlineUs[slot] as number;
    return port.send(id, flags, dlc, store.data, offset, length, deadlineUs);
  }
  switch (action) {
    case txAction.masterWrite:
      return port.masterWrite(id, flags, store.data, offset, length);
    case txAction.masterRead:
      return port.masterRead(id, flags, dlc, readDone, store.deadlineUs[slot]);
    case txAction.syncBreak:
      return port.syncBreak();
    case txAction.wakeUp:
      return port.wakeUp();
    default:
      return 'not_on_bus';
  }
};
