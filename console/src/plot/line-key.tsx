interface LineKeyProps {
  readonly look: number;
  readonly dash: readonly number[];
}

/** A piece of a signal's line, as the plot draws it. */
export const LineKey = ({ look, dash }: LineKeyProps) => (
  <svg class="line-key" viewBox="0 0 24 12" aria-hidden="true">
    <path
      d="M0 6H24"
      style={{ stroke: `var(--series-${look + 1})` }}
      stroke-dasharray={dash.join(' ')}
    />
  </svg>
);
