import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface SearchBoxProps<Item> {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string | number;
  readonly render: (item: Item) => ComponentChildren;
  readonly onPick: (item: Item | undefined) => void;
  readonly onEscape?: () => void;
  readonly onBlur?: () => void;
  /** A field of type `search` is cleared on Escape. */
  readonly type?: 'search' | 'text';
  readonly testId?: string;
}

/** Search field with a list of matches; arrow keys select one and Enter picks it. */
export const SearchBox = <Item,>(props: SearchBoxProps<Item>) => {
  const { id, items, keyOf, onPick } = props;
  const chosen = useSignal(0);
  const index = Math.min(chosen.value, items.length - 1);
  const current = items[index];
  useEffect(() => {
    document.getElementById(id)?.children[index]?.scrollIntoView({ block: 'nearest' });
  }, [id, index]);
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') onPick(current);
    else if (event.key === 'Escape' && props.onEscape) props.onEscape();
    else if (step !== undefined && items.length > 0) {
      chosen.value = Math.min(items.length - 1, Math.max(0, index + step));
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        type={props.type ?? 'search'}
        // biome-ignore lint/a11y/noRedundantRoles: without a datalist it has no such role on its own
        role="combobox"
        list={undefined}
        aria-expanded={items.length > 0}
        aria-controls={id}
        aria-activedescendant={current === undefined ? undefined : `${id}-${keyOf(current)}`}
        aria-label={props.label}
        placeholder={props.placeholder}
        autocomplete="off"
        spellcheck={false}
        value={props.value}
        data-testid={props.testId}
        onInput={(event) => {
          chosen.value = 0;
          props.onInput(event.currentTarget.value);
        }}
        onBlur={props.onBlur}
        onKeyDown={press}
      />
      <div id={id} class="list" role="listbox" aria-label="Matches" hidden={items.length === 0}>
        {items.map((item, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys
          <div
            key={keyOf(item)}
            id={`${id}-${keyOf(item)}`}
            role="option"
            aria-selected={at === index}
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(item)}
          >
            {props.render(item)}
          </div>
        ))}
      </div>
    </>
  );
};
