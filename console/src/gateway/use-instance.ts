import { useEffect } from 'preact/hooks';
import { chosenInstance } from '../state/gateways.ts';
import { currentPage, type PageId } from '../state/pages.ts';
import { type FollowedInstance, followedInstance } from './followed-instance.ts';

/** The chosen instance, followed while the page that shows it is in front; null if there is none. */
export const useInstance = (page: PageId): FollowedInstance | null => {
  const name = chosenInstance.value;
  const isInFront = currentPage.value.id === page;
  const instance = name === null ? null : followedInstance(name);
  useEffect(() => (isInFront && instance ? instance.use() : undefined), [instance, isInFront]);
  return instance;
};
