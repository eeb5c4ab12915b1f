import { signal } from '@preact/signals';
import type { GatewaySignalRules } from '../../api/client.ts';
import { act } from '../../forms/act.ts';

interface SettingOptions {
  /** Asks the service what the signal may be. */
  readonly ask: () => Promise<GatewaySignalRules>;
  /** Sends a value; answers what the service has from then on, in words. */
  readonly send: (value: string) => Promise<string>;
}

/** A value on its way to a software signal: nothing is sent before that is asked for. */
export const signalSetting = ({ ask, send }: SettingOptions) => {
  const rules = signal<GatewaySignalRules | null>(null);
  /** What was typed or chosen; empty if that is nothing. */
  const draft = signal('');
  /** What the service has since the last value was sent. */
  const confirmed = signal<string | null>(null);
  const sending = act(async () => {
    const text = draft.peek();
    confirmed.value = null;
    confirmed.value = await send(text.trim());
    // Something else may have been typed meanwhile.
    if (draft.peek() === text) draft.value = '';
  });
  const asking = act(async () => {
    rules.value = await ask();
  });
  return {
    rules,
    draft,
    confirmed,
    sending,
    asking,
    submit: (value = draft.peek()): void => {
      if (sending.isBusy.peek() || value.trim() === '') return;
      draft.value = value;
      void sending.run();
    },
  };
};
