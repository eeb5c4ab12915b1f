import { checkFrameList, type ListTarget } from './frame-list.ts';
import { checkListAlone, type ListRequest } from './send-request.ts';

interface ListCheck {
  /** Channel of a selector; rejects if none can send. */
  readonly targetOf: (selector: string) => Promise<ListTarget>;
  readonly maxFrames: number;
}

/**
 * A send request with its list checked in the client thread, since ten thousand frames would
 * delay deadlines of the bench thread.
 */
export const withCheckedList = async <R extends ListRequest>(
  request: R,
  { targetOf, maxFrames }: ListCheck,
): Promise<R> => {
  const { frames, channel, checksum } = request;
  if (frames === undefined) return request;
  checkListAlone(request);
  const target = await targetOf(channel).catch(() => null);
  // The bench thread reports best why there is no such channel.
  if (!target) return { ...request, count: frames.split('\n').length };
  return { ...request, count: checkFrameList(frames, target, checksum, maxFrames) };
};
