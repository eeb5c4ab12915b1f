import { useSignal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { Channel } from '../../api/schema.ts';
import { channels, devices } from '../../state/bench.ts';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { unusableWhile } from '../../ui/unusable.ts';

interface CloseControlProps {
  readonly channel: Channel;
  readonly onDone: () => void;
}

/** Asks once more in the place of the button, and closes the channel. */
export const CloseControl = ({ channel, onDone }: CloseControlProps) => {
  const error = useSignal<ApiError | null>(null);
  const isBusy = useSignal(false);
  const close = async (): Promise<void> => {
    isBusy.value = true;
    try {
      await call('channel.close', { params: { selector: channel.selector } });
      void devices.refresh();
      await channels.refresh();
      onDone();
    } catch (thrown) {
      error.value = thrown as ApiError;
    }
    isBusy.value = false;
  };
  return (
    <Notice tone="warn" testId="close-confirmation">
      <p>
        Close <code>{channel.selector}</code>? Its streams, tasks and history end with it.
      </p>
      <p class="actions">
        <button
          type="button"
          class="danger"
          data-testid="close-confirm"
          {...unusableWhile(isBusy.value)}
          onClick={() => void close()}
        >
          Close the channel
        </button>
        <button
          type="button"
          onClick={onDone}
          ref={(button) => {
            // The safe answer is the one that a key pressed by mistake gives.
            if (button && !button.dataset.seen) button.focus();
            if (button) button.dataset.seen = 'yes';
          }}
        >
          Keep it open
        </button>
      </p>
      <ErrorNotice error={error.value} testId="close-error" />
    </Notice>
  );
};
