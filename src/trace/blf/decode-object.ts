import { objectType } from './blf-layout.ts';
import { decodeCanFd, decodeCanFd64, decodeCanMessage } from './decode-can.ts';
import { decodeCanError, decodeCanErrorExt, decodeCanFdError64 } from './decode-can-error.ts';
import {
  decodeLinMessage,
  decodeLinReceiveError,
  decodeLinSendError,
  decodeLinSleep,
  decodeLinSyncError,
  decodeLinWakeUp,
} from './decode-lin.ts';
import {
  decodeLin2Message,
  decodeLin2ReceiveError,
  decodeLin2SendError,
  decodeLin2SyncError,
  decodeLin2WakeUp,
} from './decode-lin2.ts';
import { type BlfObject, type EventRows, type Outcome, outcome } from './object-event.ts';

/** Adds the event that an object stands for to a batch with room for it. */
export const decodeObject = (object: BlfObject, rows: EventRows): Outcome => {
  switch (object.type) {
    case objectType.canMessage:
    case objectType.canMessage2:
      return decodeCanMessage(object, rows);
    case objectType.canFdMessage64:
      return decodeCanFd64(object, rows);
    case objectType.canFdMessage:
      return decodeCanFd(object, rows);
    case objectType.linMessage2:
    case objectType.linCrcError2:
      return decodeLin2Message(object, rows);
    case objectType.linMessage:
    case objectType.linCrcError:
      return decodeLinMessage(object, rows);
    case objectType.canErrorExt:
      return decodeCanErrorExt(object, rows);
    case objectType.canError:
      return decodeCanError(object, rows);
    case objectType.canFdError64:
      return decodeCanFdError64(object, rows);
    case objectType.linSendError:
      return decodeLinSendError(object, rows);
    case objectType.linSendError2:
      return decodeLin2SendError(object, rows);
    case objectType.linReceiveError:
      return decodeLinReceiveError(object, rows);
    case objectType.linReceiveError2:
      return decodeLin2ReceiveError(object, rows);
    case objectType.linSyncError:
      return decodeLinSyncError(object, rows);
    case objectType.linSyncError2:
      return decodeLin2SyncError(object, rows);
    case objectType.linWakeUp:
      return decodeLinWakeUp(object, rows);
    case objectType.linWakeUp2:
      return decodeLin2WakeUp(object, rows);
    case objectType.linSleep:
      return decodeLinSleep(object, rows);
    default:
      return outcome.passed;
  }
};
