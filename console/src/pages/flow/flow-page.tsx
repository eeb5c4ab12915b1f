import './flow.css';
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../../api/api-error.ts';
import { counted } from '../../format/figures.ts';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { InstanceAbsence, InstanceBar, useInstance } from '../../gateway/instance-bar.tsx';
import { readElements } from '../../gateway/read-elements.ts';
import { retryUntilAnswered } from '../../state/ask-until-answered.ts';
import { offerCommands } from '../../state/commands.ts';
import { goTo, pageQuery } from '../../state/pages.ts';
import { CheckField, Segments } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { setter, setting } from '../../ui/set-signal.ts';
import { FlowDetail } from './flow-detail.tsx';
import { FlowModel } from './flow-model.ts';
import { FlowTable } from './flow-table.tsx';
import { flowGraphOf, searchNodes } from './graph/flow-graph.ts';
import { FlowDrawing } from './view/flow-drawing.tsx';
import { kindNames } from './view/node-text.ts';

const maxShown = 12;

interface SearchProps {
  readonly model: FlowModel;
  readonly query: string;
  readonly onInput: (query: string) => void;
  readonly hasList: boolean;
}

const FlowSearch = ({ model, query, onInput, hasList }: SearchProps) => {
  const isOpen = useSignal(false);
  const list = hasList && isOpen.value ? searchNodes(model.graph, query).slice(0, maxShown) : [];
  const show = (node: number | undefined): void => {
    if (node === undefined) return;
    isOpen.value = false;
    onInput('');
    void model.reveal(node);
  };
  return (
    <div class="flow-search">
      <SearchBox
        id="flow-found"
        label="Search the flow"
        placeholder="Search signals, messages, …"
        value={query}
        onInput={(text) => {
          onInput(text);
          isOpen.value = true;
        }}
        items={list}
        keyOf={(node) => node}
        onPick={show}
        onEscape={() => onInput('')}
        onBlur={setting(isOpen, false)}
        render={(node) => (
          <>
            <span class="quiet">{kindNames[model.node(node)?.kind ?? 'signal']}</span>{' '}
            {model.node(node)?.name}
          </>
        )}
        testId="flow-search"
      />
    </div>
  );
};

interface Flow {
  readonly model: FlowModel | null;
  readonly error: ApiError | null;
}

/** Flow of an instance, reloaded when another one with the same name replaces it. */
const useFlow = (instance: FollowedInstance): Flow => {
  const [flow, setFlow] = useState<Flow>({ model: null, error: null });
  const readOf = useRef<number | null>(null);
  const loadedAt = instance.status.value?.loaded_at_us ?? null;
  const isLive = instance.state === 'live';
  useEffect(() => {
    if (!isLive || loadedAt === null || readOf.current === loadedAt) return;
    return retryUntilAnswered(() => readElements(instance.name), {
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

type Face = 'drawing' | 'table';

const faces = [
  { value: 'drawing', label: 'Diagram' },
  { value: 'table', label: 'Table' },
] as const;

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

const BrokenCount = ({ model, onShow }: { model: FlowModel; onShow: () => void }) => {
  void model.readingsVersion.value;
  const broken = model.readings.nodes.filter(({ tone }) => tone === 'broken').length;
  if (broken === 0) return null;
  return (
    <button type="button" class="link" data-tone="bad" data-testid="flow-broken" onClick={onShow}>
      ■ {counted(broken, 'error')}
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
    return offerCommands(commandsOf(setting(face, 'table')));
  }, [model]);
  // Other pages link here with a node in the query.
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
        staleSince: state === 'live' || state === 'waiting' ? null : instance.reportedAt,
      }}
      header={
        model && (
          <>
            <FlowSearch
              model={model}
              query={query.value}
              hasList={face.value === 'drawing'}
              onInput={setter(query)}
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
                Path of {followed.name} <span aria-hidden="true">✕</span>
              </button>
            )}
            <span class="grow" />
            {face.value === 'table' && (
              <CheckField
                label="Errors only"
                checked={isBrokenOnly.value}
                onChange={setter(isBrokenOnly)}
                testId="flow-broken-only"
              />
            )}
            <button type="button" data-testid="flow-fold-all" onClick={() => model.foldAll()}>
              Collapse all
            </button>
            <button type="button" data-testid="flow-unfold-all" onClick={() => model.fold([])}>
              Expand all
            </button>
            <Segments
              label="View"
              testId="flow-face"
              value={face.value}
              choices={faces}
              onChange={setter(face)}
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
