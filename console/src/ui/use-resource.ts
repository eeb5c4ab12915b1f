import { useEffect } from 'preact/hooks';
import { isServed } from '../state/connection.ts';
import type { Resource } from '../state/resource.ts';
import type { Freshness } from './panel.tsx';

/** Keeps a resource fresh for as long as the component is shown. */
export const useResource = <T>(resource: Resource<T>, pollMs?: number): Resource<T> => {
  useEffect(() => resource.use(pollMs), [resource, pollMs]);
  return resource;
};

/** How far what is shown of a resource can be trusted. */
export const freshness = ({ data, error, updatedAt }: Resource<unknown>): Freshness => ({
  isAwaited: data.value === null && error.value === null,
  staleSince: error.value || !isServed.value ? updatedAt.value : null,
});
