import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { type GraphElement, readElements } from '../../gateway/read-elements.ts';

interface TaskFrames {
  readonly id: string;
  readonly endpoint: string | null;
}

export const taskPlaces = (elements: readonly GraphElement[]): ReadonlyMap<string, TaskFrames> => {
  const messages = new Map<string, TaskFrames>();
  const tasks = new Map<string, string>();
  const places = new Map<string, TaskFrames>();
  for (const element of elements) {
    if (element.group === 'nodes') {
      const { kind, id, row, detail, endpoint } = element;
      if (kind === 'message') messages.set(id, { id: detail, endpoint });
      if (kind === 'task') tasks.set(id, row);
      continue;
    }
    const task = tasks.get(element.target);
    const place = messages.get(element.source);
    if (task !== undefined && place) places.set(task, place);
  }
  return places;
};

export const traceAddress = ({ id, endpoint }: TaskFrames, instance: FollowedInstance): string => {
  const { resolved = null } =
    instance.status.value?.endpoints.find((each) => each.id === endpoint) ?? {};
  const query = { ...(resolved === null ? {} : { channel: resolved }), id, view: 'frames' };
  return `#trace?${new URLSearchParams(query)}`;
};

export const places = signal<ReadonlyMap<string, TaskFrames>>(new Map());

/**
 * Reloads the messages for each instance, also if another one with the same name replaces it.
 */
export const useTaskPlaces = (instance: FollowedInstance | null): void => {
  const generation = instance?.generation.value;
  const hasRules = (instance?.faults.value.size ?? 0) > 0;
  useEffect(() => {
    places.value = new Map();
    if (!instance || !hasRules) return;
    let isWanted = true;
    readElements(instance.name).then(
      (elements) => {
        if (isWanted) places.value = taskPlaces(elements);
      },
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [instance, generation, hasRules]);
};
