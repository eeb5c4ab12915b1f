interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly testId: string;
}

/** A box that narrows a list down; Escape empties it. */
export const SearchBox = ({ label, value, onInput, testId }: SearchBoxProps) => (
  <input
    class="search"
    type="search"
    autocomplete="off"
    spellcheck={false}
    aria-label={label}
    placeholder={label}
    value={value}
    data-testid={testId}
    onInput={(event) => onInput(event.currentTarget.value)}
    onKeyDown={(event) => {
      if (event.key === 'Escape') onInput('');
    }}
  />
);
