import { checkFrameList, type ListTarget } from './frame-list.ts';
import { checkListAlone, type ListRequest } from './send-request.ts';

interface ListCheck {
  /** The channel that a selector names; rejects where none can be sent on. */
  readonly targetOf: (selector: string) => Promise<ListTarget>;
  readonly maxFrames: number;
}

/**
 * A request to send, whose list, if it has one, is known to be sound. The client thread checks it: ten
 * thousand frames would hold up deadlines in the thread that sends them.
 */
export const withCheckedList = async <R extends ListRequest>(
  request: R,
  { targetOf, maxFrames }: ListCheck,
): Promise<R> => {
  const { frames, channel, checksum } = request;
  if (frames === undefined) return request;
  checkListAlone(request);
  const target = await targetOf(channel).catch(() => null);
  // Why there is no such channel to send on is what the bench thread says best.
  if (!target) return { ...request, count: frames.split('\n').length };
  return { ...request, count: checkFrameList(frames, target, checksum, maxFrames) };
};
