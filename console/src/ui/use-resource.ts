import { useEffect } from 'preact/hooks';
import { isServed } from '../state/connection.ts';
import type { Resource } from '../state/resource.ts';

/** Keeps a resource fresh for as long as the component is shown. */
export const useResource = <T>(resource: Resource<T>, pollMs?: number): Resource<T> => {
  useEffect(() => resource.use(pollMs), [resource, pollMs]);
  return resource;
};

/** Since when a resource cannot be vouched for; null while it can, and before its first answer. */
export const staleSince = ({ error, updatedAt }: Resource<unknown>): Date | null =>
  error.value || !isServed.value ? updatedAt.value : null;
