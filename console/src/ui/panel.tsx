import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { formatTime } from '../format/figures.ts';
import { StateMark } from './state-mark.tsx';

interface ScrollAreaProps {
  readonly class?: string;
  readonly isStale?: boolean;
  readonly testId?: string;
  readonly children: ComponentChildren;
}

export const ScrollArea = ({ class: className = '', ...props }: ScrollAreaProps) => (
  <div
    class={`scroll ${className}`}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it has no control of its own, and scrolls by keys
    tabIndex={0}
    data-stale={props.isStale ? '' : undefined}
    data-testid={props.testId}
  >
    {props.children}
  </div>
);

export interface Freshness {
  readonly isAwaited: boolean;
  readonly staleSince: Date | null;
}

interface PanelProps {
  readonly title: string;
  readonly header?: ComponentChildren;
  readonly actions?: ComponentChildren;
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
