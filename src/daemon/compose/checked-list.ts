import type { Remote } from '../../base/threads/call-port.ts';
import { type Caller, plainCaller } from '../../operations/dispatcher.ts';
import { batchLimit } from '../../operations/limits.ts';
import { checkFrameList } from '../../transmit/frame-list.ts';
import { checkListAlone, type SendRequest } from '../../transmit/send-request.ts';
import type { BenchOffer } from './thread-contracts.ts';

/**
 * A request to send, whose list, if it has one, is known to be sound. Done by the client thread: ten
 * thousand frames would hold up deadlines in the thread that sends them.
 */
export const withCheckedList = async (
  request: SendRequest,
  caller: Caller,
  bench: Pick<Remote<BenchOffer>, 'channelReport'>,
): Promise<SendRequest> => {
  const { frames, channel, checksum } = request;
  if (frames === undefined) return request;
  checkListAlone(request);
  // Why there is no such channel to send on is what the bench thread says best.
  const report = await bench.channelReport(channel, plainCaller(caller)).catch(() => null);
  if (!report) return { ...request, count: frames.split('\n').length };
  const count = checkFrameList(frames, report.record, checksum, batchLimit.listFrames);
  return { ...request, count };
};
