import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { type GraphElement, readElements } from '../../gateway/read-elements.ts';

/** Where the frames of a task can be seen. */
interface TaskFrames {
  /** As a filter of the trace has it. */
  readonly id: string;
  readonly endpoint: string | null;
}

/** The CAN message of every task that has one, by the id of the task. */
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

/** The address of the trace of these frames. */
export const traceAddress = ({ id, endpoint }: TaskFrames, instance: FollowedInstance): string => {
  const { resolved = null } =
    instance.status.value?.endpoints.find((each) => each.id === endpoint) ?? {};
  const query = { ...(resolved === null ? {} : { channel: resolved }), id, view: 'frames' };
  return `#trace?${new URLSearchParams(query)}`;
};

/** What the tasks of the instance in front send; empty until that is known. */
export const places = signal<ReadonlyMap<string, TaskFrames>>(new Map());

/** Learns them anew for each instance, and where another one has taken its name. */
export const useTaskPlaces = (instance: FollowedInstance | null): void => {
  const generation = instance?.generation.value;
  const hasRules = (instance?.faults.value.size ?? 0) > 0;
  useEffect(() => {
    places.value = new Map();
    if (!instance || !hasRules) return;
    let isWanted = true;
    // Without them there are no links, and nothing else is missing.
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
