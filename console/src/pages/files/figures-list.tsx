import type { ComponentChildren } from 'preact';

interface FiguresProps {
  readonly rows: readonly (readonly [label: string, value: ComponentChildren])[];
  /** Longer ones, each on a line of its own. */
  readonly lines?: readonly (readonly [label: string, value: ComponentChildren])[];
  readonly testId?: string;
}

/** Figures with their names, as many beside each other as fit. */
export const Figures = ({ rows, lines = [], testId }: FiguresProps) => (
  <dl class="figures" data-testid={testId}>
    {rows.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
    {lines.map(([label, value]) => (
      <div key={label} class="line">
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

interface RecordErrorProps {
  readonly error: {
    readonly code?: string;
    readonly reason?: string;
    readonly message: string;
  } | null;
  readonly testId: string;
}

/** Why work that once ran came to an end. */
export const WorkError = ({ error, testId }: RecordErrorProps) =>
  error && (
    <div class="notice" data-tone="bad" data-testid={testId} role="status">
      <p>
        <code>{error.code ?? error.reason}</code> {error.message}
      </p>
    </div>
  );
