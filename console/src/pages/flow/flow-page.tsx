import './flow.css';
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../../api/api-error.ts';
import { counted } from '../../format/figures.ts';
import { Segments } from '../../forms/controls.tsx';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { InstanceAbsence, InstanceBar, useInstance } from '../../gateway/instance-bar.tsx';
import { readElements } from '../../gateway/read-elements.ts';
import { retryUntilAnswered } from '../../state/ask-until-answered.ts';
import { offerCommands } from '../../state/commands.ts';
import { goTo, pageQuery } from '../../state/pages.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { FlowDetail } from './flow-detail.tsx';
import { FlowModel } from './flow-model.ts';
import { FlowTable } from './flow-table.tsx';
import { flowGraphOf, searchNodes } from './graph/flow-graph.ts';
import { FlowDrawing } from './view/flow-drawing.tsx';
import { kindNames } from './view/node-text.ts';

/** More than a user reads; typing narrows the rest down. */
const maxShown = 12;

interface SearchProps {
  readonly model: FlowModel;
  readonly query: string;
  readonly onInput: (query: string) => void;
  /** Whether what is found is offered below; the table shows it by itself. */
  readonly hasList: boolean;
}

const FlowSearch = ({ model, query, onInput, hasList }: SearchProps) => {
  const chosen = useSignal(0);
  const isOpen = useSignal(false);
  const list = hasList && isOpen.value ? searchNodes(model.graph, query).slice(0, maxShown) : [];
  const index = Math.min(chosen.value, list.length - 1);
  const show = (node: number | undefined): void => {
    if (node === undefined) return;
    isOpen.value = false;
    onInput('');
    void model.reveal(node);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && hasList) show(list[index]);
    else if (event.key === 'Escape') onInput('');
    else if (step !== undefined && list.length > 0) {
      chosen.value = Math.min(list.length - 1, Math.max(0, index + step));
    } else return;
    event.preventDefault();
  };
  return (
    <div class="flow-search">
      <input
        class="search"
        type="search"
        // biome-ignore lint/a11y/noRedundantRoles: without a datalist it has no such role by itself
        role="combobox"
        list={undefined}
        autocomplete="off"
        spellcheck={false}
        aria-label="Search the flow"
        aria-expanded={list.length > 0}
        aria-controls="flow-found"
        aria-activedescendant={list[index] === undefined ? undefined : `flow-found-${list[index]}`}
        placeholder="Search signals, messages, …"
        value={query}
        data-testid="flow-search"
        onInput={(event) => {
          onInput(event.currentTarget.value);
          chosen.value = 0;
          isOpen.value = true;
        }}
        onBlur={() => {
          isOpen.value = false;
        }}
        onKeyDown={press}
      />
      <div id="flow-found" role="listbox" aria-label="Search results" hidden={list.length === 0}>
        {list.map((node, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys
          <div
            key={node}
            id={`flow-found-${node}`}
            role="option"
            aria-selected={at === index}
            tabIndex={-1}
            // Before the box loses the focus, and the list goes away with it.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => show(node)}
          >
            <span class="quiet">{kindNames[model.node(node)?.kind ?? 'signal']}</span>{' '}
            {model.node(node)?.name}
          </div>
        ))}
      </div>
    </div>
  );
};

interface Flow {
  readonly model: FlowModel | null;
  /** Why the graph could not be read. */
  readonly error: ApiError | null;
}

/** The flow of an instance; another one as soon as another instance has taken its name. */
const useFlow = (instance: FollowedInstance): Flow => {
  const [flow, setFlow] = useState<Flow>({ model: null, error: null });
  const readOf = useRef<number | null>(null);
  const loadedAt = instance.status.value?.loaded_at_us ?? null;
  const isLive = instance.state === 'live';
  // What could not be read is tried again while the stream is there, and when it is back.
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
        staleSince: state === 'live' || state === 'waiting' ? null : instance.reportedAt,
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
                Path of {followed.name} <span aria-hidden="true">✕</span>
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
                Errors only
              </label>
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
