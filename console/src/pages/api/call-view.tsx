import { useEffect, useMemo } from 'preact/hooks';
import { openApi } from '../../state/bench.ts';
import { Panel } from '../../ui/panel.tsx';
import { AnswerPanel } from './answer-panel.tsx';
import { operationsOf, takesNothing } from './api-operations.ts';
import { callOf } from './call-state.ts';
import { pendingRun, showOperation } from './operation-choice.ts';
import { OperationPicker } from './operation-picker.tsx';
import { RequestPanel } from './request-panel.tsx';

/** The Typed API: pick an operation of the running service, fill it in, send it. */
export const CallView = ({ wanted }: { readonly wanted: string | null }) => {
  const document = openApi.data.value;
  const operations = useMemo(() => (document ? operationsOf(document) : []), [document]);
  const schemas = document?.components.schemas ?? {};
  const picked = operations.find(({ id }) => id === wanted) ?? operations[0] ?? null;
  const call = picked && callOf(picked, schemas);
  const isUnknown = wanted !== null && document !== null && picked?.id !== wanted;

  useEffect(() => {
    if (!call || pendingRun.value !== call.operation.id) return;
    pendingRun.value = null;
    if (takesNothing(call.operation)) void call.send(schemas);
  }, [call, pendingRun.value]);
  return (
    <div class="call-view">
      <OperationPicker
        operations={operations}
        picked={isUnknown ? null : picked}
        onPick={showOperation}
      />
      {isUnknown && (
        <Panel title={wanted} class="unknown">
          <p class="empty">This service has no such operation over HTTP. Pick one from the list.</p>
        </Panel>
      )}
      {call && !isUnknown && (
        <>
          <RequestPanel key={call.operation.id} call={call} schemas={schemas} />
          <AnswerPanel call={call} />
        </>
      )}
    </div>
  );
};
