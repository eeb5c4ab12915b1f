import { counted } from '../../../format/figures.ts';
import { textWidth } from '../../../ui/text-width.ts';
import type { FlowGraph, FlowKind, FlowNode } from '../graph/flow-graph.ts';
import type { ShownGraph } from '../graph/shown-graph.ts';
import type { BoxSize } from '../layout/flow-layout.ts';

export const kindNames: Readonly<Record<FlowKind, string>> = {
  endpoint: 'Endpoint',
  message: 'Message',
  pdu: 'PDU',
  resource: 'Register',
  signal: 'Signal',
  mapping: 'Mapping',
  processor: 'Processor',
  task: 'Task',
};

export const columnTitle = (kinds: readonly FlowKind[]): string =>
  kinds
    .map((kind) => kindNames[kind])
    .sort()
    .map((name, at) => (at === 0 || name === 'PDU' ? name : name.toLowerCase()))
    .join(' or ');

interface NodeText {
  readonly name: string;
  readonly detail: string;
}

/** A mapping shows its function instead of its name. */
export const nodeText = (row: FlowNode | undefined, held: number): NodeText => {
  if (!row) return { name: 'Mappings', detail: counted(held, 'node') };
  const folded = held > 0 ? `${held} collapsed` : '';
  if (row.kind === 'mapping') return { name: row.detail, detail: folded };
  return { name: row.name, detail: folded || (row.kind === 'signal' ? '' : row.detail) };
};

const [minWidth, maxWidth] = [52, 190];
const around = 21;
const foldWidth = 18;
const [lowBox, highBox] = [26, 40];

export const boxSizes =
  ({ nodes }: FlowGraph, shown: ShownGraph, foldable: ReadonlySet<string>) =>
  (node: number): BoxSize => {
    const row = nodes[shown.nodes[node] ?? 0];
    const { name, detail } = nodeText(row, shown.held[node] ?? 0);
    const text = Math.max(textWidth(name, 'plain'), textWidth(detail, 'title'));
    const fold = row && !foldable.has(row.key) ? 0 : foldWidth;
    return {
      width: Math.min(maxWidth, Math.max(minWidth, around + text + fold)),
      height: detail === '' ? lowBox : highBox,
    };
  };
