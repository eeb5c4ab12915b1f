import { useSignal } from '@preact/signals';
import type { FlowModel } from './flow-model.ts';
import { searchNodes } from './graph/search-nodes.ts';
import { kindNames } from './view/node-text.ts';

/** More than a user reads; typing narrows the rest down. */
const mostShown = 12;

interface SearchProps {
  readonly model: FlowModel;
  readonly query: string;
  readonly onInput: (query: string) => void;
  /** Whether what is found is offered below; the table shows it by itself. */
  readonly hasList: boolean;
}

/** Finds a node by a few letters and shows it, out of whatever it is folded into. */
export const FlowSearch = ({ model, query, onInput, hasList }: SearchProps) => {
  const chosen = useSignal(0);
  const isOpen = useSignal(false);
  const list = hasList && isOpen.value ? searchNodes(model.graph, query).slice(0, mostShown) : [];
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
        aria-label="Find in the flow"
        aria-expanded={list.length > 0}
        aria-controls="flow-found"
        aria-activedescendant={list[index] === undefined ? undefined : `flow-found-${list[index]}`}
        placeholder="Find a signal, message, …"
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
      <div id="flow-found" role="listbox" aria-label="Found" hidden={list.length === 0}>
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
