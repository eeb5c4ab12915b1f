import type { ComponentChildren } from 'preact';

interface FactProps {
  readonly name: string;
  /** Takes the whole width of the list. */
  readonly whole?: boolean;
  /** Something that should not be. */
  readonly alarm?: boolean;
  readonly children: ComponentChildren;
}

/** A name and what is so about it, in a list of these. */
export const Fact = ({ name, whole = false, alarm = false, children }: FactProps) => (
  <>
    <dt>{name}</dt>
    <dd class={whole ? 'whole' : ''} data-tone={alarm ? 'warn' : undefined}>
      {alarm && <span aria-hidden="true">▲ </span>}
      {children}
    </dd>
  </>
);
