import { useEffect } from 'preact/hooks';
import { isServed } from '../state/connection.ts';
import { currentPage, type PageId } from '../state/pages.ts';
import type { Resource } from '../state/resource.ts';
import type { Freshness } from './panel.tsx';

/** Has a resource for as long as the component is shown, and follows it while a page is in front. */
export const useResource = <T>(resource: Resource<T>, page?: PageId): Resource<T> => {
  const isFollowed = currentPage.value.id === page;
  useEffect(() => resource.use(isFollowed), [resource, isFollowed]);
  return resource;
};

/** How far what is shown of a resource can be trusted. */
export const freshness = ({ data, error, updatedAt }: Resource<unknown>): Freshness => ({
  isAwaited: data.value === null && error.value === null,
  staleSince: error.value || !isServed.value ? updatedAt.value : null,
});
