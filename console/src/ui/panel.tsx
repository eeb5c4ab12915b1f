import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { formatTime } from '../format/figures.ts';
import { StateMark } from './state-mark.tsx';

interface ScrollAreaProps {
  readonly class?: string;
  readonly isStale?: boolean;
  readonly children: ComponentChildren;
}

/** Part of a panel that scrolls where room is short. */
export const ScrollArea = ({ class: className = '', isStale, children }: ScrollAreaProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it has no control of its own, and scrolls by keys
  <div class={`scroll ${className}`} tabIndex={0} data-stale={isStale ? '' : undefined}>
    {children}
  </div>
);

export interface Freshness {
  /** No answer was received yet. */
  readonly isAwaited: boolean;
  /** Time of the last good answer, while the data is stale. */
  readonly staleSince: Date | null;
}

interface PanelProps {
  readonly title: string;
  /** Next to the title: states, values, controls. */
  readonly header?: ComponentChildren;
  /** At the right end of the header. */
  readonly actions?: ComponentChildren;
  /** For panels that show data the service updates. */
  readonly freshness?: Freshness;
  readonly testId?: string;
  readonly class?: string;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children: ComponentChildren;
}

export const Panel = (props: PanelProps) => {
  const { title, header, actions, freshness, testId, class: className = '', children } = props;
  const staleSince = freshness?.staleSince;
  const id = useId();
  return (
    <section
      class={`panel ${className}`}
      aria-labelledby={id}
      data-testid={testId}
      aria-busy={freshness?.isAwaited || undefined}
      data-stale={staleSince ? '' : undefined}
      onKeyDown={props.onKeyDown}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {staleSince && <StateMark state="stale" label={`As of ${formatTime(staleSince)}`} live />}
        {header}
        {actions !== undefined && <span class="grow" />}
        {actions}
      </header>
      {children}
    </section>
  );
};
