import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../../api/api-error.ts';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { readElements } from '../../gateway/read-elements.ts';
import { askUntilAnswered } from '../../state/ask-until-answered.ts';
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
  // What could not be read is tried again while the stream is there, and when it is back.
  useEffect(() => {
    if (!isLive || loadedAt === null || readOf.current === loadedAt) return;
    return askUntilAnswered(() => readElements(instance.name), {
      take: (elements) => {
        readOf.current = loadedAt;
        setFlow({ model: new FlowModel(flowGraphOf(elements)), error: null });
      },
      fail: (error) => {
        readOf.current = null;
        setFlow({ model: null, error });
      },
    });
  }, [instance, loadedAt, isLive]);
  return flow;
};
