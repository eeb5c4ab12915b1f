import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { valueText } from '../../gateway/quality-mark.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/table-columns.ts';
import type { FlowModel } from './flow-model.ts';
import { idle, type Reading } from './live/reading.ts';
import { ReadingMark } from './reading-mark.tsx';
import { kindNames, nodeText } from './view/node-text.ts';

interface FlowRow {
  /** Among what is shown, and in the graph. */
  readonly at: number;
  readonly node: number;
  readonly kind: string;
  readonly name: string;
  readonly detail: string;
  readonly value: string;
  readonly reading: Reading;
  readonly from: string;
  readonly to: string;
}

/** Names of some of the nodes, and how many more there are. */
const listed = (names: readonly string[]): string =>
  names.length > 4
    ? `${names.slice(0, 4).join(', ')} and ${names.length - 4} more`
    : names.join(', ');

const rowOf = (model: FlowModel, instance: FollowedInstance, at: number): FlowRow => {
  const shown = model.layout.value?.shown;
  const node = shown?.nodes[at] ?? 0;
  const row = model.node(node);
  const held = shown?.held[at] ?? 0;
  const entry = model.readings.signalOf(instance, node);
  const nameAt = (other: number | undefined): string =>
    model.node(shown?.nodes[other ?? 0] ?? 0)?.name ?? 'Mappings';
  return {
    at,
    node,
    kind: row ? kindNames[row.kind] : 'Mappings',
    name: row?.name ?? 'Mappings',
    detail: held > 0 ? nodeText(row, held).detail : (row?.detail ?? ''),
    value: entry ? valueText(entry) : '',
    reading: model.shownReadings().nodes[at] ?? idle,
    from: listed(Array.from(shown?.incoming.of(at) ?? [], (edge) => nameAt(shown?.sources[edge]))),
    to: listed(Array.from(shown?.outgoing.of(at) ?? [], (edge) => nameAt(shown?.targets[edge]))),
  };
};

const columnsOf = (model: FlowModel): readonly Column<FlowRow>[] => [
  { id: 'kind', title: 'Kind', width: 84, spare: -1, text: ({ kind }) => kind },
  { id: 'name', title: 'Name', width: 190, least: 110, grows: true, text: ({ name }) => name },
  { id: 'detail', title: 'What', width: 150, least: 70, spare: 2, text: ({ detail }) => detail },
  { id: 'value', title: 'Value', width: 140, least: 90, text: ({ value }) => value },
  {
    ...{ id: 'quality', title: 'Quality', width: 130, least: 110 },
    text: ({ reading }) => reading.reason ?? reading.tone,
    render: ({ reading }) => <ReadingMark reading={reading} />,
  },
  {
    ...{ id: 'reason', title: 'Reason', width: 180, least: 60, grows: true, spare: 1 },
    text: ({ reading }) => reading.message ?? '',
  },
  {
    id: 'from',
    title: 'Comes from',
    width: 190,
    least: 90,
    grows: true,
    spare: 0,
    text: ({ from }) => from,
  },
  {
    id: 'to',
    title: 'Goes to',
    width: 190,
    least: 90,
    grows: true,
    spare: 0,
    text: ({ to }) => to,
  },
  {
    ...{ id: 'follow', title: 'Way', width: 130 },
    text: () => '',
    render: ({ node, name }) => (
      <>
        <button
          type="button"
          class="inline"
          aria-label={`Follow ${name}`}
          aria-pressed={model.followed.value === node}
          onClick={() => model.follow(model.followed.value === node ? null : node)}
        >
          Follow
        </button>{' '}
        {model.isFoldable(node) && (
          <button
            type="button"
            class="inline"
            aria-label={`${model.isFolded(node) ? 'Unfold' : 'Fold'} ${name}`}
            onClick={() => model.toggle(node)}
          >
            {model.isFolded(node) ? 'Unfold' : 'Fold'}
          </button>
        )}
      </>
    ),
  },
];

interface TableProps {
  readonly model: FlowModel;
  readonly instance: FollowedInstance;
  /** Nodes that were searched for; all of them where it is null. */
  readonly found: ReadonlySet<number> | null;
  readonly isBrokenOnly: boolean;
}

/** The same as the drawing, column by column and from top to bottom. */
export const FlowTable = ({ model, instance, found, isBrokenOnly }: TableProps) => {
  void [instance.frame.value, model.readingsVersion.value];
  const layout = model.layout.value;
  const readings = model.shownReadings().nodes;
  const all = layout?.columns.flatMap(({ items }) => [...items]) ?? [];
  const rows = all.filter(
    (at) =>
      at < (layout?.wiring.nodes ?? 0) &&
      (found === null || found.has(layout?.shown.nodes[at] ?? 0)) &&
      (!isBrokenOnly || readings[at]?.tone === 'broken'),
  );
  return (
    <DataTable
      id="flow"
      label="Flow"
      testId="flow-table"
      columns={columnsOf(model)}
      count={rows.length}
      rowAt={(index) => rowOf(model, instance, rows[index] ?? 0)}
      keyOf={({ node }) => node}
      selected={({ node }) => model.selected.value === node}
      onSelect={({ node }) => {
        model.selected.value = node;
      }}
      rowAttributes={({ node, reading }) => ({
        'data-key': model.node(node)?.key,
        'data-flow': reading.tone,
      })}
      empty={isBrokenOnly ? 'Nothing is broken.' : 'Nothing is called like that.'}
    />
  );
};
