import { useComputed } from '@preact/signals';
import { setting } from '../../../ui/set-signal.ts';
import type { FlowModel } from '../flow-model.ts';
import type { FlowLayout } from '../layout/flow-layout.ts';
import { idle } from '../live/reading.ts';
import { kindNames, nodeText } from './node-text.ts';
import { roughView, type Size, visibleNodes } from './viewport.ts';

interface BoxProps {
  readonly model: FlowModel;
  readonly layout: FlowLayout;
  readonly at: number;
}

const FlowBox = ({ model, layout, at }: BoxProps) => {
  void model.readingsVersion.value;
  const { shown, columns, wiring, heights, boxHeights } = layout;
  const height = boxHeights[at] ?? 0;
  const node = shown.nodes[at] ?? 0;
  const row = model.node(node);
  const held = shown.held[at] ?? 0;
  const { name, detail } = nodeText(row, held);
  const { tone, reason } = model.shownReadings().nodes[at] ?? idle;
  const column = columns[wiring.columns[at] ?? 0];
  const marked = model.marked.value;
  const isSelected = model.selected.value === node;
  const kind = row ? kindNames[row.kind] : 'All';
  // Signals and mappings show their reason on the wire.
  const remark = tone === 'broken' && detail !== '' ? reason : null;
  // The accessible name contains the visible text, as required for voice control.
  const seen = [name, remark ?? detail].filter(Boolean).join(' ');
  const what = row && row.name !== name ? `${kind} ${row.name}: ${seen}` : `${kind} ${seen}`;
  const words = [what, remark ? '' : (reason ?? tone)].filter(Boolean);
  return (
    <div
      class="flow-box"
      data-kind={row?.kind ?? 'between'}
      data-side={row?.side}
      data-flow={tone}
      data-key={row?.key ?? 'between'}
      data-selected={isSelected ? '' : undefined}
      data-dimmed={marked && !marked[at] ? '' : undefined}
      style={{
        left: `${column?.left ?? 0}px`,
        top: `${(heights[at] ?? 0) - height / 2}px`,
        height: `${height}px`,
        width: `${column?.boxWidth ?? 0}px`,
      }}
    >
      <button
        type="button"
        class="flow-name"
        tabIndex={isSelected ? 0 : -1}
        aria-pressed={isSelected}
        aria-label={words.join(', ')}
        title={[row?.name ?? name, row?.message, row?.detail, reason].filter(Boolean).join(' · ')}
        onClick={setting(model.selected, isSelected ? null : node)}
      >
        <span class="name">{name}</span>{' '}
        {remark ? (
          <span class="reason">✕ {remark}</span>
        ) : (
          detail && <span class="detail">{detail}</span>
        )}
      </button>
      {model.isFoldable(node) && (
        <button
          type="button"
          class="flow-fold"
          tabIndex={-1}
          aria-label={held > 0 ? `Expand ${name}` : `Collapse ${name}`}
          aria-expanded={held === 0}
          onClick={() => model.toggle(node)}
        >
          <span aria-hidden="true">{held > 0 ? '▸' : '▾'}</span>
        </button>
      )}
    </div>
  );
};

interface BoxesProps {
  readonly model: FlowModel;
  readonly size: Size;
}

/** Visible boxes, and the selected one even outside the view, so that it can keep the focus. */
export const FlowBoxes = ({ model, size }: BoxesProps) => {
  const rough = useComputed(() => {
    const view = model.view.value;
    return view && JSON.stringify(roughView(view));
  });
  const layout = model.layout.value;
  if (!layout || rough.value === null) return null;
  const visible = visibleNodes(layout, JSON.parse(rough.value), size);
  const selected = model.selected.value === null ? -1 : model.shownAs(model.selected.value);
  const all = selected < 0 || visible.includes(selected) ? visible : [...visible, selected];
  return (
    <>
      {all.map((at) => (
        <FlowBox key={shownKey(model, layout, at)} model={model} layout={layout} at={at} />
      ))}
    </>
  );
};

const shownKey = (model: FlowModel, { shown }: FlowLayout, at: number): string =>
  model.node(shown.nodes[at] ?? 0)?.key ?? 'between';
