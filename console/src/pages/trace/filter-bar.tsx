import { useEffect, useRef } from 'preact/hooks';
import { isShown } from '../../state/pages.ts';
import { emptyFilter, type FilterText } from '../../trace-core/frame-filter.ts';
import { unusableWhile } from '../../ui/fields.tsx';
import { isTyping } from '../../ui/help-dialog.tsx';
import { OpenFileButton } from './file-source.tsx';
import { filterErrors, filterText, seenChannels } from './trace-state.ts';

type TextField = Exclude<keyof FilterText, 'direction'>;

const fields: readonly {
  readonly id: TextField;
  readonly label: string;
  readonly placeholder: string;
  readonly title: string;
}[] = [
  {
    id: 'id',
    label: 'ID',
    placeholder: '100-1FF, 7E?, !7DF',
    title:
      'Hex: 123 is an 11-bit ID, 18FF50E5 or 123x a 29-bit ID; range 100-1FF, wildcard 7E?, mask 7E0:7F0; ! excludes',
  },
  {
    id: 'name',
    label: 'Name',
    placeholder: 'Engine*, !Door',
    title: 'Part of the message name, or the whole name with * and ?; ! excludes',
  },
  {
    id: 'channel',
    label: 'Channel',
    placeholder: 'All',
    title: 'Slots, names or ports, separated by commas',
  },
  {
    id: 'data',
    label: 'Data',
    placeholder: '?? FF',
    title: 'Hex bytes from byte 0, ? matches any digit; a leading * matches at any position',
  },
];

const set = (change: Partial<FilterText>): void => {
  filterText.value = { ...filterText.peek(), ...change };
};

export const clearFilter = (): void => {
  filterText.value = emptyFilter;
};

export const FilterBar = () => {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== '/' || isTyping(event) || !isShown('trace')) return;
      event.preventDefault();
      first.current?.focus();
      first.current?.select();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const text = filterText.value;
  const errors = filterErrors.value;
  const wrong = fields.filter(({ id }) => errors[id] !== undefined);
  return (
    <search class="filter-bar" aria-label="Filter">
      {fields.map(({ id, label, placeholder, title }, i) => (
        <label key={id}>
          {label}
          {i === 0 && <kbd>/</kbd>}
          <input
            type="text"
            class={id === 'id' || id === 'data' ? 'mono' : ''}
            ref={i === 0 ? first : null}
            value={text[id]}
            placeholder={placeholder}
            title={title}
            list={id === 'channel' ? 'trace-channels' : undefined}
            autocomplete="off"
            spellcheck={false}
            aria-invalid={errors[id] !== undefined}
            aria-describedby={errors[id] === undefined ? undefined : 'trace-filter-errors'}
            data-testid={`trace-filter-${id}`}
            onInput={(event) => set({ [id]: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key === 'Escape') set({ [id]: '' });
            }}
          />
        </label>
      ))}
      <datalist id="trace-channels">
        {[...new Set(seenChannels.value.map(({ labels: [name] }) => name))].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <label>
        Direction
        <select
          value={text.direction}
          data-testid="trace-filter-direction"
          onChange={({ currentTarget }) =>
            set({ direction: currentTarget.value as FilterText['direction'] })
          }
        >
          <option value="">Both</option>
          <option value="rx">Rx</option>
          <option value="tx">Tx</option>
        </select>
      </label>
      <button
        type="button"
        data-testid="trace-filter-clear"
        {...unusableWhile(Object.values(text).every((value) => value === ''))}
        onClick={clearFilter}
      >
        Clear filter
      </button>
      <OpenFileButton />
      {wrong.length > 0 && (
        <p id="trace-filter-errors" data-tone="bad" role="alert" data-testid="trace-filter-error">
          {wrong.map(({ id, label }) => `${label}: ${errors[id]}.`).join(' ')} The previous filter
          still applies.
        </p>
      )}
    </search>
  );
};
