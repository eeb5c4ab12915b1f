import { checkFrameList, type ListTarget } from './frame-list.ts';
import { checkListAlone, type ListRequest } from './send-request.ts';

interface ListCheck {
  readonly targetOf: (selector: string) => Promise<ListTarget>;
  readonly maxFrames: number;
}

/**
 * Checks the list of a send request in the client thread, because ten thousand frames would
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
  // The bench thread reports in detail why the channel does not exist.
  if (!target) return { ...request, count: frames.split('\n').length };
  return { ...request, count: checkFrameList(frames, target, checksum, maxFrames) };
};
