import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { valueText } from '../../gateway/quality-mark.tsx';
import { setting } from '../../ui/set-signal.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import type { FlowModel } from './flow-model.ts';
import { idle, type Reading, shortValue, type Tone } from './live/reading.ts';
import { kindNames } from './view/node-text.ts';

const states: Readonly<Record<Tone, string>> = {
  idle: 'off',
  good: 'ok',
  awaited: 'awaited',
  broken: 'failed',
};

const toneNames: Readonly<Record<Tone, string>> = {
  idle: 'idle',
  good: 'good',
  awaited: 'no value yet',
  broken: 'error',
};

interface ReadingMarkProps {
  readonly reading: Reading;
  readonly testId?: string;
}

export const ReadingMark = ({ reading: { tone, reason }, testId }: ReadingMarkProps) => (
  <StateMark
    state={states[tone]}
    label={reason ?? toneNames[tone]}
    {...(testId === undefined ? {} : { testId })}
  />
);

interface DetailProps {
  readonly model: FlowModel;
  readonly instance: FollowedInstance;
}

interface Neighbour {
  readonly edge: number;
  readonly node: number;
  readonly reading: Reading;
  readonly text: string;
}

const neighboursOf = (
  { graph, readings }: FlowModel,
  source: FollowedInstance,
  node: number,
  side: 'sources' | 'targets',
): Neighbour[] => {
  const edges = side === 'sources' ? graph.incoming.of(node) : graph.outgoing.of(node);
  return Array.from(edges, (edge) => {
    const [from, to] = [graph.sources[edge] ?? 0, graph.targets[edge] ?? 0];
    const entry = readings.signalOf(source, from) ?? readings.signalOf(source, to);
    const binding = graph.bindings[edge] ?? null;
    const raw = entry?.bindings.find(({ id }) => id === binding)?.raw;
    const text = raw === undefined ? entry && shortValue(entry) : `raw ${raw}`;
    return {
      edge,
      node: graph[side][edge] ?? 0,
      reading: readings.edges[edge] ?? idle,
      text: text ?? '',
    };
  });
};

interface NeighbourListProps {
  readonly title: string;
  readonly model: FlowModel;
  readonly list: readonly Neighbour[];
  readonly none: string;
}

const NeighbourList = ({ title, model, list, none }: NeighbourListProps) => (
  <div class="flow-neighbours">
    <h3>{title}</h3>
    <ul>
      {list.map(({ edge, node, reading, text }) => (
        <li key={edge}>
          <button type="button" class="link" onClick={() => void model.reveal(node)}>
            {model.node(node)?.name}
          </button>{' '}
          <span class="quiet">{text}</span>{' '}
          {reading.tone === 'broken' && <ReadingMark reading={reading} />}
        </li>
      ))}
      {list.length === 0 && <li class="quiet">{none}</li>}
    </ul>
  </div>
);

const legend: readonly Reading[] = (['good', 'awaited', 'broken', 'idle'] as const).map((tone) => ({
  ...idle,
  tone,
}));

const FlowLegend = () => (
  <section class="flow-detail flow-legend" aria-label="Legend and keys">
    <p>
      Values flow from left to right. Each signal has its value on its outgoing line:{' '}
      {legend.map((reading) => (
        <ReadingMark key={reading.tone} reading={reading} />
      ))}
    </p>
    <p class="quiet">Select a node to see its state, its sources and its consumers.</p>
    <p class="quiet">
      <kbd>arrow keys</kbd> select, with <kbd>Shift</kbd> pan · <kbd>+</kbd> <kbd>−</kbd>{' '}
      <kbd>0</kbd> or <kbd>Ctrl</kbd> and wheel zoom · <kbd>F</kbd> isolate path · <kbd>Space</kbd>{' '}
      collapse or expand · <kbd>Esc</kbd> back
    </p>
  </section>
);

export const FlowDetail = ({ model, instance }: DetailProps) => {
  void [instance.frame.value, model.readingsVersion.value];
  const node = model.selected.value;
  const row = node === null ? undefined : model.node(node);
  if (node === null || !row) return <FlowLegend />;
  const reading = model.readings.nodes[node] ?? idle;
  const entry = model.readings.signalOf(instance, node);
  const isFollowed = model.followed.value === node;
  const facts = [kindNames[row.kind].toLowerCase(), row.detail];
  if (row.message !== null) facts.push(`message ${row.message}`);
  return (
    <section class="flow-detail" aria-label={`Details of ${row.name}`} data-testid="flow-detail">
      <div class="flow-facts">
        <h3>
          <strong>{row.name}</strong> <span class="quiet">{facts.filter(Boolean).join(' · ')}</span>
        </h3>
        <p>
          {entry && (
            <span class="flow-value" data-testid="flow-value">
              {valueText(entry)}
            </span>
          )}{' '}
          <ReadingMark reading={reading} testId="flow-quality" />
        </p>
        {reading.message !== null && <p data-testid="flow-reason">{reading.message}</p>}
        <div class="actions">
          <button
            type="button"
            aria-pressed={isFollowed}
            data-testid="flow-follow"
            onClick={() => model.follow(isFollowed ? null : node)}
          >
            Isolate path
          </button>
          {model.isFoldable(node) && (
            <button type="button" data-testid="flow-toggle" onClick={() => model.toggle(node)}>
              {model.isFolded(node) ? 'Expand' : 'Collapse'}
            </button>
          )}
          <button type="button" onClick={setting(model.selected, null)}>
            Close
          </button>
        </div>
      </div>
      <NeighbourList
        title="Sources"
        model={model}
        list={neighboursOf(model, instance, node, 'sources')}
        none="No sources"
      />
      <NeighbourList
        title="Consumers"
        model={model}
        list={neighboursOf(model, instance, node, 'targets')}
        none="No consumers"
      />
    </section>
  );
};
