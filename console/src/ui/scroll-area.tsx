import type { ComponentChildren } from 'preact';

interface ScrollAreaProps {
  readonly class?: string;
  readonly isStale?: boolean;
  readonly children: ComponentChildren;
}

/** A part of a panel to read, which scrolls where room is short. */
export const ScrollArea = ({ class: className = '', isStale, children }: ScrollAreaProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it has no control of its own, and scrolls by keys
  <div class={`scroll ${className}`} tabIndex={0} data-stale={isStale ? '' : undefined}>
    {children}
  </div>
);
