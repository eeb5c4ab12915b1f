import { computed, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isJsonObject } from '../../../../src/base/json/json-value.ts';
import { withMappedSignal, withMapping } from '../../project-editor/draw-mapping.ts';
import { idsOf, rowIdOf, rowsOf } from '../../project-editor/project-document.ts';
import { TextField } from '../../ui/fields.tsx';
import { onResize } from '../../ui/on-resize.ts';
import { ScrollArea } from '../../ui/panel.tsx';
import { setter } from '../../ui/set-signal.ts';
import { change, document, problems, tables } from './editor-state.ts';
import { selectRow } from './row-edits.ts';

/** A signal as input or output, or a mapping with its row. */
type End =
  | { readonly side: 'input' | 'output'; readonly id: string }
  | { readonly side: 'mapping'; readonly id: string; readonly index: number };

const wanted = signal('');
/** Where a line that is being drawn begins. */
const from = signal<End | null>(null);
const pointer = signal<{ readonly x: number; readonly y: number } | null>(null);

const maxShown = 200;

const listed = computed(() => {
  const text = wanted.value.toLowerCase();
  return idsOf(document.value, 'signals').filter((id) => id.toLowerCase().includes(text));
});

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

const mappings = computed(() =>
  rowsOf(document.value, 'mappings').map((row, index) => {
    const fields = isJsonObject(row) ? row : {};
    const transform = isJsonObject(fields.transform) ? fields.transform : {};
    return {
      index,
      id: rowIdOf(row) ?? `row ${index + 1}`,
      kind: String(transform.function ?? transform.kind ?? 'identity'),
      inputs: textsOf(fields.inputs),
      outputs: textsOf(fields.outputs),
    };
  }),
);

const connect = (one: End, other: End): void => {
  const [first, second] = one.side === 'output' ? [other, one] : [one, other];
  if (first.side === second.side) return;
  const label = `map ${first.id} to ${second.id}`;
  const current = document.peek();
  const schema = tables.peek().find(({ name }) => name === 'mappings');
  if (first.side === 'mapping' && second.side !== 'mapping') {
    change(withMappedSignal(current, first.index, second.side, second.id), label);
  } else if (second.side === 'mapping' && first.side !== 'mapping') {
    change(withMappedSignal(current, second.index, first.side, first.id), label);
  } else if (schema !== undefined && first.id !== second.id) {
    change(withMapping(current, schema, first.id, second.id), label);
  }
};

const cancel = (): void => {
  from.value = null;
  pointer.value = null;
};

const finish = (to: End): void => {
  const start = from.peek();
  cancel();
  if (start !== null) connect(start, to);
};

const isFrom = ({ side, id }: End): boolean => from.value?.side === side && from.value.id === id;

const Port = ({ end, children }: { readonly end: End; readonly children: ComponentChildren }) => (
  <li>
    <button
      type="button"
      class="port"
      data-side={end.side}
      data-port={end.id}
      aria-pressed={end.side === 'mapping' ? undefined : isFrom(end)}
      onPointerDown={({ currentTarget, pointerId }) => {
        currentTarget.releasePointerCapture(pointerId);
        from.value = end;
      }}
      onPointerUp={() => finish(end)}
      onClick={({ detail }) => {
        // A click of the keyboard has no detail; that of a pointer follows its own events.
        if (end.side === 'mapping' && (detail > 0 || from.peek() === null)) {
          selectRow('mappings', end.index);
        } else if (detail > 0) return;
        else if (isFrom(end)) cancel();
        else if (from.peek() === null) from.value = end;
        else finish(end);
      }}
    >
      {children}
    </button>
  </li>
);

const Ports = ({ side, title }: { readonly side: 'input' | 'output'; readonly title: string }) => (
  <div class="ports">
    <h3>{title}</h3>
    <ul>
      {listed.value.slice(0, maxShown).map((id) => (
        <Port key={id} end={{ side, id }}>
          {id}
        </Port>
      ))}
    </ul>
    {listed.value.length > maxShown && (
      <p class="quiet">and {listed.value.length - maxShown} more: type a part of the name</p>
    )}
  </div>
);

interface Line {
  readonly key: string;
  readonly path: string;
}

const curve = (x1: number, y1: number, x2: number, y2: number): string => {
  const bend = Math.max(24, Math.abs(x2 - x1) / 2);
  return `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
};

/** Lines between the elements that are in the document. */
const linesIn = (area: HTMLElement): readonly Line[] => {
  const origin = area.getBoundingClientRect();
  const boxOf = (name: string, side: string): DOMRect | undefined =>
    area
      .querySelector(`[data-port="${CSS.escape(name)}"][data-side="${side}"]`)
      ?.getBoundingClientRect();
  const between = (key: string, one: DOMRect | undefined, other: DOMRect | undefined): Line[] =>
    one && other
      ? [
          {
            key,
            path: curve(
              one.right - origin.left,
              one.top + one.height / 2 - origin.top,
              other.left - origin.left,
              other.top + other.height / 2 - origin.top,
            ),
          },
        ]
      : [];
  return mappings.peek().flatMap(({ id, inputs, outputs }) => {
    const box = boxOf(id, 'mapping');
    return [
      ...inputs.flatMap((each) => between(`${each}>${id}`, boxOf(each, 'input'), box)),
      ...outputs.flatMap((each) => between(`${id}>${each}`, box, boxOf(each, 'output'))),
    ];
  });
};

/**
 * Signals and mappings as a picture: a line drawn between signals adds a mapping, one between a
 * signal and a mapping adds the signal to it.
 */
export const FlowView = () => {
  const area = useRef<HTMLDivElement>(null);
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [start, setStart] = useState<readonly [number, number] | null>(null);
  useLayoutEffect(() => {
    const node = area.current;
    return onResize(node, () => node && setLines(linesIn(node)));
  }, [document.value, listed.value]);
  useLayoutEffect(() => {
    const [begun, node] = [from.value, area.current];
    if (begun === null || node === null) return setStart(null);
    const selector = `[data-port="${CSS.escape(begun.id)}"][data-side="${begun.side}"]`;
    const [box, origin] = [
      node.querySelector(selector)?.getBoundingClientRect(),
      node.getBoundingClientRect(),
    ];
    if (box === undefined) return setStart(null);
    const edge = begun.side === 'output' ? box.left : box.right;
    setStart([edge - origin.left, box.top + box.height / 2 - origin.top]);
  }, [from.value]);
  const end = pointer.value;
  return (
    <ScrollArea class="flow-view">
      <div class="flow-head">
        <TextField
          label="Signals"
          value={wanted.value}
          onInput={setter(wanted)}
          testId="flow-filter"
        />
        <p class="quiet">
          {from.value === null
            ? 'Drag from an input to an output, or between a mapping and one of its signals; or press Enter on a signal and then on the other end.'
            : `From ${from.value.id}: choose the other end. Escape cancels.`}
        </p>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it take keys */}
      <div
        class="flow-area"
        ref={area}
        onPointerMove={({ clientX, clientY }) => {
          if (from.peek() === null || area.current === null) return;
          const origin = area.current.getBoundingClientRect();
          pointer.value = { x: clientX - origin.left, y: clientY - origin.top };
        }}
        onPointerUp={cancel}
        onKeyDown={({ key }) => {
          if (key === 'Escape') cancel();
        }}
      >
        <svg aria-hidden="true">
          {lines.map(({ key, path }) => (
            <path key={key} d={path} />
          ))}
          {start && end && <path class="drawing" d={curve(start[0], start[1], end.x, end.y)} />}
        </svg>
        <Ports side="input" title="Inputs" />
        <div class="ports">
          <h3>Mappings</h3>
          <ul>
            {mappings.value.map(({ id, index, kind }) => (
              <Port key={id} end={{ side: 'mapping', id, index }}>
                {problems.value.ofRow('mappings', index).length > 0 && '⚠ '}
                {id} <span class="quiet">{kind}</span>
              </Port>
            ))}
          </ul>
        </div>
        <Ports side="output" title="Outputs" />
      </div>
    </ScrollArea>
  );
};
