import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Answer } from '../api/client.ts';
import { isShown, type PageId } from '../state/pages.ts';
import { follow } from '../state/resource.ts';
import { type TrafficRow, withTraffic } from './traffic-history.ts';

export const traffic = signal<readonly TrafficRow[] | null>(null);

const follower = {
  operation: 'channel.traffic',
  take: (answer: unknown): void => {
    const { channels } = answer as Answer<'channel.traffic'>;
    traffic.value = withTraffic(traffic.peek() ?? [], channels);
  },
  fail: (): void => {},
};

export const useTraffic = (page: PageId): void => {
  const isFollowed = isShown(page);
  useEffect(() => (isFollowed ? follow({ ...follower }) : undefined), [isFollowed]);
};
