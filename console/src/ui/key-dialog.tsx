import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { setting } from './set-signal.ts';

interface KeyDialogProps {
  readonly open: Signal<boolean>;
  readonly isKey: (event: KeyboardEvent) => boolean;
  readonly class: string;
  readonly label: string;
  readonly testId: string;
  readonly children: ComponentChildren;
}

/** Modal dialog that a key opens and closes; its content exists only while it is open. */
export const KeyDialog = ({ open, isKey, label, testId, ...rest }: KeyDialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = open.value;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!isKey(event)) return;
      event.preventDefault();
      open.value = !open.peek();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [open, isKey]);
  // A layout effect, so that the dialog already receives the next key.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      // Browsers return the focus only from a dialog that is still in the document.
      const isLost = document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [isOpen]);
  if (!isOpen) return null;
  return (
    <dialog
      ref={dialog}
      class={rest.class}
      aria-label={label}
      data-testid={testId}
      onClose={setting(open, false)}
    >
      {rest.children}
    </dialog>
  );
};
