import './flow.css';
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Segments } from '../../forms/segments.tsx';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { InstanceAbsence, InstanceBar } from '../../gateway/instance-bar.tsx';
import { useInstance } from '../../gateway/use-instance.ts';
import { offerCommands } from '../../state/commands.ts';
import { goTo, pageQuery } from '../../state/route.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { FlowDetail } from './flow-detail.tsx';
import type { FlowModel } from './flow-model.ts';
import { FlowSearch } from './flow-search.tsx';
import { FlowTable } from './flow-table.tsx';
import { searchNodes } from './graph/search-nodes.ts';
import { useFlow } from './use-flow.ts';
import { FlowDrawing } from './view/flow-drawing.tsx';

type Face = 'drawing' | 'table';

const faces = [
  { value: 'drawing', label: 'Drawing' },
  { value: 'table', label: 'Table' },
] as const;

/** From anywhere: the table, for those who cannot use the drawing. */
const commandsOf = (showTable: () => void) => () => [
  {
    id: 'flow-table',
    group: 'Flow',
    title: 'Show the flow as a table',
    run: () => {
      goTo('flow', Object.fromEntries(pageQuery.peek()));
      showTable();
    },
  },
];

/** How many nodes are broken; the table lists them. */
const BrokenCount = ({ model, onShow }: { model: FlowModel; onShow: () => void }) => {
  void model.readingsVersion.value;
  const broken = model.readings.nodes.filter(({ tone }) => tone === 'broken').length;
  if (broken === 0) return null;
  return (
    <button type="button" class="link" data-tone="bad" data-testid="flow-broken" onClick={onShow}>
      ■ {broken} broken
    </button>
  );
};

const FlowPanel = ({ instance }: { readonly instance: FollowedInstance }) => {
  const { model, error } = useFlow(instance);
  const face = useSignal<Face>('drawing');
  const query = useSignal('');
  const isBrokenOnly = useSignal(false);
  const { state } = instance;

  useSignalEffect(() => {
    void instance.frame.value;
    const [tasks, status] = [instance.tasks.value, instance.status.value];
    model?.refresh({ signals: instance.signals, tasks, status });
  });
  useEffect(() => {
    if (!model) return;
    model.refresh({
      signals: instance.signals,
      tasks: instance.tasks.peek(),
      status: instance.status.peek(),
    });
    return offerCommands(
      commandsOf(() => {
        face.value = 'table';
      }),
    );
  }, [model]);
  // Other pages lead here with a node in the address.
  const wanted = pageQuery.value.get('node');
  useEffect(() => {
    const node = model?.graph.nodes.findIndex(({ key }) => key === wanted) ?? -1;
    if (node >= 0) void model?.reveal(node);
  }, [model, wanted]);

  const followed = model && model.followed.value !== null && model.node(model.followed.value);
  const found =
    query.value === '' ? null : new Set(model ? searchNodes(model.graph, query.value) : []);
  return (
    <Panel
      title="Flow"
      class="flow-panel"
      testId="flow"
      freshness={{
        isAwaited: !error && !model?.layout.value,
        staleSince: state === 'live' || state === 'waiting' ? null : instance.toldAt,
      }}
      header={
        model && (
          <>
            <FlowSearch
              model={model}
              query={query.value}
              hasList={face.value === 'drawing'}
              onInput={(text) => {
                query.value = text;
              }}
            />
            <BrokenCount
              model={model}
              onShow={() => {
                face.value = 'table';
                isBrokenOnly.value = true;
              }}
            />
            {followed && (
              <button type="button" data-testid="flow-unfollow" onClick={() => model.follow(null)}>
                Only the way of {followed.name} <span aria-hidden="true">✕</span>
              </button>
            )}
            <span class="grow" />
            {face.value === 'table' && (
              <label class="check">
                <input
                  type="checkbox"
                  data-testid="flow-broken-only"
                  checked={isBrokenOnly.value}
                  onChange={(event) => {
                    isBrokenOnly.value = event.currentTarget.checked;
                  }}
                />
                Broken only
              </label>
            )}
            <button type="button" data-testid="flow-fold-all" onClick={() => model.foldAll()}>
              Fold all
            </button>
            <button type="button" data-testid="flow-unfold-all" onClick={() => model.fold([])}>
              Unfold all
            </button>
            <Segments
              label="Flow as"
              testId="flow-face"
              value={face.value}
              choices={faces}
              onChange={(next) => {
                face.value = next;
              }}
            />
          </>
        )
      }
    >
      <ErrorNotice error={error} testId="flow-error" />
      {model &&
        (face.value === 'drawing' ? (
          <FlowDrawing model={model} instance={instance} />
        ) : (
          <FlowTable
            model={model}
            instance={instance}
            found={found}
            isBrokenOnly={isBrokenOnly.value}
          />
        ))}
      {model && <FlowDetail model={model} instance={instance} />}
    </Panel>
  );
};

/** How values go through an instance, from endpoints over signals and mappings to endpoints. */
export const FlowPage = () => {
  const instance = useInstance('flow');
  return (
    <div class="gateway-page flow-page">
      <InstanceBar instance={instance} />
      <InstanceAbsence instance={instance} />
      {instance && <FlowPanel key={instance.name} instance={instance} />}
    </div>
  );
};
