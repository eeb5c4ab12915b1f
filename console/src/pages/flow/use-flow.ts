import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../../api/api-error.ts';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { readElements } from '../../gateway/read-elements.ts';
import { FlowModel } from './flow-model.ts';
import { flowGraphOf } from './graph/flow-graph.ts';

interface Flow {
  readonly model: FlowModel | null;
  /** Why the graph could not be read. */
  readonly error: ApiError | null;
}

/** The flow of an instance; another one as soon as another instance has taken its name. */
export const useFlow = (instance: FollowedInstance): Flow => {
  const [flow, setFlow] = useState<Flow>({ model: null, error: null });
  const readOf = useRef<number | null>(null);
  const loadedAt = instance.status.value?.loaded_at_us ?? null;
  const isLive = instance.state === 'live';
  // What could not be read is tried again when the stream is back.
  useEffect(() => {
    if (!isLive || loadedAt === null || readOf.current === loadedAt) return;
    let isWanted = true;
    const settle = (next: Flow, known: number | null): void => {
      if (!isWanted) return;
      readOf.current = known;
      setFlow(next);
    };
    readElements(instance.name).then(
      (elements) => {
        settle({ model: new FlowModel(flowGraphOf(elements)), error: null }, loadedAt);
      },
      (error: ApiError) => settle({ model: null, error }, null),
    );
    return () => {
      isWanted = false;
    };
  }, [instance, loadedAt, isLive]);
  return flow;
};
