import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { tableValueText } from '../../gateway/quality-mark.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { type Column, column } from '../../ui/table-columns.ts';
import { ReadingMark } from './flow-detail.tsx';
import type { FlowModel } from './flow-model.ts';
import { idle, type Reading } from './live/reading.ts';
import { kindNames, nodeText } from './view/node-text.ts';

interface FlowRow {
  readonly node: number;
  readonly kind: string;
  readonly name: string;
  readonly detail: string;
  readonly value: string;
  readonly reading: Reading;
  readonly from: string;
  readonly to: string;
}

const listed = (names: readonly string[]): string =>
  names.length > 4
    ? `${names.slice(0, 4).join(', ')} and ${names.length - 4} more`
    : names.join(', ');

/** Cells of a node; a number past the last node represents all collapsed mappings. */
const nodeCells = (model: FlowModel, instance: FollowedInstance, node: number) => {
  const row = model.node(node);
  const entry = model.readings.signalOf(instance, node);
  return {
    node,
    kind: row ? kindNames[row.kind] : 'Mappings',
    name: row?.name ?? 'Mappings',
    detail: row?.detail ?? '',
    value: entry ? tableValueText(entry) : '',
  };
};

type RowAt = (model: FlowModel, instance: FollowedInstance, at: number) => FlowRow;

const shownRow: RowAt = (model, instance, at) => {
  const shown = model.layout.value?.shown;
  const node = shown?.nodes[at] ?? 0;
  const held = shown?.held[at] ?? 0;
  const cells = nodeCells(model, instance, node);
  const nameAt = (other: number | undefined): string =>
    model.node(shown?.nodes[other ?? 0] ?? 0)?.name ?? 'Mappings';
  return {
    ...cells,
    detail: held > 0 ? nodeText(model.node(node), held).detail : cells.detail,
    reading: model.shownReadings().nodes[at] ?? idle,
    from: listed(Array.from(shown?.incoming.of(at) ?? [], (edge) => nameAt(shown?.sources[edge]))),
    to: listed(Array.from(shown?.outgoing.of(at) ?? [], (edge) => nameAt(shown?.targets[edge]))),
  };
};

const graphRow: RowAt = (model, instance, node) => {
  const { sources, targets, incoming, outgoing } = model.graph;
  const nameAt = (other: number | undefined): string => model.node(other ?? 0)?.name ?? '';
  return {
    ...nodeCells(model, instance, node),
    reading: model.readings.nodes[node] ?? idle,
    from: listed(Array.from(incoming.of(node), (edge) => nameAt(sources[edge]))),
    to: listed(Array.from(outgoing.of(node), (edge) => nameAt(targets[edge]))),
  };
};

const columnsOf = (model: FlowModel): readonly Column<FlowRow>[] => [
  column('kind', 'Kind', 84, ({ kind }) => kind, { spare: -1 }),
  column('name', 'Name', 190, ({ name }) => name, { least: 110, grows: true }),
  column('detail', 'Details', 150, ({ detail }) => detail, { least: 70, spare: 2 }),
  column('value', 'Value', 140, ({ value }) => value, { least: 90 }),
  column('quality', 'Quality', 130, ({ reading }) => reading.reason ?? reading.tone, {
    least: 110,
    render: ({ reading }) => <ReadingMark reading={reading} />,
  }),
  column('reason', 'Reason', 180, ({ reading }) => reading.message ?? '', {
    least: 60,
    grows: true,
    spare: 1,
  }),
  column('from', 'Sources', 190, ({ from }) => from, { least: 90, grows: true, spare: 0 }),
  column('to', 'Consumers', 190, ({ to }) => to, { least: 90, grows: true, spare: 0 }),
  column('follow', 'Path', 130, () => '', {
    render: ({ node, name }) => (
      <>
        <button
          type="button"
          class="inline"
          aria-label={`Isolate path of ${name}`}
          aria-pressed={model.followed.value === node}
          onClick={() => model.follow(model.followed.value === node ? null : node)}
        >
          Isolate
        </button>{' '}
        {model.isFoldable(node) && (
          <button
            type="button"
            class="inline"
            aria-label={`${model.isFolded(node) ? 'Expand' : 'Collapse'} ${name}`}
            onClick={() => model.toggle(node)}
          >
            {model.isFolded(node) ? 'Expand' : 'Collapse'}
          </button>
        )}
      </>
    ),
  }),
];

interface TableProps {
  readonly model: FlowModel;
  readonly instance: FollowedInstance;
  readonly found: ReadonlySet<number> | null;
  readonly isBrokenOnly: boolean;
}

const shownRows = (model: FlowModel): readonly number[] => {
  const layout = model.layout.value;
  const all = layout?.columns.flatMap(({ items }) => [...items]) ?? [];
  return all.filter((at) => at < (layout?.wiring.nodes ?? 0));
};

export const FlowTable = ({ model, instance, found, isBrokenOnly }: TableProps) => {
  void [instance.frame.value, model.readingsVersion.value];
  const isSearched = found !== null || isBrokenOnly;
  const isWanted = (node: number): boolean =>
    (found === null || found.has(node)) &&
    (!isBrokenOnly || model.readings.nodes[node]?.tone === 'broken');
  const rows = isSearched ? [...model.graph.nodes.keys()].filter(isWanted) : shownRows(model);
  const rowOf = isSearched ? graphRow : shownRow;
  return (
    <DataTable
      id="flow"
      label="Flow"
      columns={columnsOf(model)}
      count={rows.length}
      rowAt={(index) => rowOf(model, instance, rows[index] ?? 0)}
      keyOf={({ node }) => node}
      selected={({ node }) => model.selected.value === node}
      onSelect={({ node }) => {
        if (isSearched) void model.reveal(node);
        else model.selected.value = node;
      }}
      rowAttributes={({ node, reading }) => ({
        'data-key': model.node(node)?.key,
        'data-flow': reading.tone,
      })}
      empty={isBrokenOnly ? 'No errors.' : 'No matches.'}
    />
  );
};
