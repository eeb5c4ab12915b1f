import { useSignal } from '@preact/signals';
import type { Channel } from '../../api/schema.ts';
import { fieldSchema } from '../../forms/contract.ts';
import { numberOf } from '../../forms/number-text.ts';
import { requestForm } from '../../forms/request-form.ts';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { openApi } from '../../state/bench.ts';
import { TextField } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { ChannelChecks } from './channel-checks.tsx';
import { namesIn } from './name-list.ts';
import { forwarding } from './work-resources.ts';

const form = requestForm('remote.start');

const visible = ['listen', 'peer', 'channels', 'max_age_ms', 'buffer_us'];

const empty = { listen: '', peers: '', maxAge: '', buffer: '' };

const isCan = ({ bus }: Channel): boolean => bus !== 'lin';

const defaultOf = (field: string): string =>
  String(fieldSchema(openApi.data.value, 'remote.start', field)?.default ?? '');

/** With whom frames are exchanged, and of which channels. */
export const RemoteForm = () => {
  const draft = useSignal(empty);
  const channels = useSignal<readonly string[]>([]);
  const change = (part: Partial<typeof empty>, field: string): void => {
    draft.value = { ...draft.value, ...part };
    form.touch(field);
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { listen, peers, maxAge, buffer } = draft.value;
    const started = await form.submit({
      body: {
        ...(listen.trim() === '' ? {} : { listen: listen.trim() }),
        peer: namesIn(peers),
        channels: channels.value,
        max_age_ms: numberOf(maxAge),
        buffer_us: numberOf(buffer),
      },
      visible,
    });
    if (started) await forwarding.refresh();
  };
  const { listen, peers, maxAge, buffer } = draft.value;
  return (
    <form class="line-form" noValidate onSubmit={submit} data-testid="remote-form">
      <div class="fields">
        <TextField
          label="Listen on"
          value={listen}
          onInput={(text) => change({ listen: text }, 'listen')}
          error={form.problemOf('listen')}
          placeholder={defaultOf('listen')}
          testId="remote-listen"
        />
        <div class="pair">
          <TextField
            label="Peers"
            value={peers}
            onInput={(text) => change({ peers: text }, 'peer')}
            error={form.problemOf('peer')}
            placeholder="192.168.1.20:20000, …"
            testId="remote-peers"
          />
        </div>
        <TextField
          label="Age limit (ms)"
          value={maxAge}
          onInput={(text) => change({ maxAge: text }, 'max_age_ms')}
          error={form.problemOf('max_age_ms')}
          placeholder="none"
          testId="remote-max-age"
        />
        <TextField
          label="Collect for (µs)"
          value={buffer}
          onInput={(text) => change({ buffer: text }, 'buffer_us')}
          error={form.problemOf('buffer_us')}
          placeholder={defaultOf('buffer_us')}
          testId="remote-buffer"
        />
        <div class="rest">
          <ChannelChecks
            label="Channels"
            chosen={channels.value}
            suits={isCan}
            onChange={(chosen) => {
              channels.value = chosen;
              form.touch('channels');
            }}
            hint="Both ways, CAN and CAN FD"
            error={form.problemOf('channels')}
            testId="remote-channels"
          />
        </div>
      </div>
      <div class="actions">
        <SubmitButton form={form} testId="remote-start">
          Start
        </SubmitButton>
      </div>
      <ErrorNotice error={form.error.value} testId="remote-error" />
    </form>
  );
};
