import { useEffect } from 'preact/hooks';
import { isServed } from '../state/connection.ts';
import { isShown, type PageId } from '../state/pages.ts';
import type { Resource } from '../state/resource.ts';
import type { Freshness } from './panel.tsx';

/** Uses a resource while the component is shown, and follows it while its page is visible. */
export const useResource = <T>(resource: Resource<T>, page?: PageId): Resource<T> => {
  const isFollowed = page !== undefined && isShown(page);
  useEffect(() => resource.use(isFollowed), [resource, isFollowed]);
  return resource;
};

export const freshness = ({ data, error, updatedAt }: Resource<unknown>): Freshness => ({
  isAwaited: data.value === null && error.value === null,
  staleSince: error.value || !isServed.value ? updatedAt.value : null,
});
