import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { nextStep } from '../api/next-step.ts';
import { connection, connectionError, useToken } from '../state/connection.ts';
import { rememberedToken } from '../storage/remembered.ts';

/**
 * Prompts for the token while the service requires one, and shows whether the last one was
 * rejected.
 */
export const TokenPrompt = () => {
  const text = useSignal('');
  const input = useRef<HTMLInputElement>(null);
  const isWanted = connection.value === 'token';
  useLayoutEffect(() => {
    if (isWanted) input.current?.focus();
  }, [isWanted]);
  if (!isWanted) return null;
  const wasRefused = rememberedToken.get() !== null;
  const submit = (event: Event): void => {
    event.preventDefault();
    useToken(text.value);
    text.value = '';
  };
  return (
    <form
      class="token"
      data-testid="token-form"
      data-tone={wasRefused ? 'bad' : 'ask'}
      aria-label="Access token"
      onSubmit={submit}
    >
      <label for="token">Access token</label>
      <input
        id="token"
        ref={input}
        type="password"
        autocomplete="off"
        spellcheck={false}
        maxLength={512}
        required
        pattern="[!-~]+"
        title="Printable ASCII characters, no spaces"
        aria-describedby="token-note"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <button type="submit">Use token</button>
      <p id="token-note" role="status">
        {wasRefused ? 'The service rejected this token.' : `${connectionError.value?.message}.`}{' '}
        {connectionError.value && nextStep(connectionError.value)}
      </p>
    </form>
  );
};
