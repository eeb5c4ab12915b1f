import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { unusableWhile } from '../ui/unusable.ts';

interface SubmitButtonProps {
  readonly form: { readonly isBusy: ReadonlySignal<boolean> };
  readonly testId: string;
  readonly children: ComponentChildren;
}

/** What a form is there for; not to be had again before the service has answered. */
export const SubmitButton = ({ form, testId, children }: SubmitButtonProps) => (
  <button type="submit" class="primary" {...unusableWhile(form.isBusy.value)} data-testid={testId}>
    {children}
  </button>
);
