import { useSignal } from '@preact/signals';
import { numberOf } from '../../forms/number-text.ts';
import { requestForm } from '../../forms/request-form.ts';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { CheckField, TextField } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { addRow, type ChannelMap, mapBody, mapProblems } from './channel-map.ts';
import { ChannelMapEditor } from './channel-map-editor.tsx';
import { replay } from './work-resources.ts';

const form = requestForm('replay.start');

const visible = ['file', 'channels', 'speed', 'loop', 'start_offset_us'];

const empty = { file: '', speed: '1', loop: false, offset: '' };

/** What to replay, where to, and how fast. */
export const ReplayForm = () => {
  const draft = useSignal(empty);
  const map = useSignal<ChannelMap>(addRow([]));
  const change = (part: Partial<typeof empty>, field: string): void => {
    draft.value = { ...draft.value, ...part };
    form.touch(field);
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { file, speed, loop, offset } = draft.value;
    const started = await form.submit({
      body: {
        file: file.trim(),
        channels: mapBody(map.value),
        speed: numberOf(speed),
        loop,
        start_offset_us: numberOf(offset),
      },
      visible,
      problems: mapProblems(map.value),
    });
    if (started) await replay.refresh();
  };
  const { file, speed, loop, offset } = draft.value;
  return (
    <form class="line-form" noValidate onSubmit={submit} data-testid="replay-form">
      <div class="fields">
        <div class="pair">
          <TextField
            label="File"
            value={file}
            onInput={(text) => change({ file: text }, 'file')}
            error={form.problemOf('file')}
            placeholder="drive.asc"
            testId="replay-file"
          />
        </div>
        <TextField
          label="Speed (×)"
          value={speed}
          onInput={(text) => change({ speed: text }, 'speed')}
          error={form.problemOf('speed')}
          testId="replay-speed"
        />
        <TextField
          label="Start offset (µs)"
          value={offset}
          onInput={(text) => change({ offset: text }, 'start_offset_us')}
          error={form.problemOf('start_offset_us')}
          placeholder="0"
          testId="replay-offset"
        />
      </div>
      <ChannelMapEditor
        map={map.value}
        onChange={(changed) => {
          map.value = changed;
          form.touch('channels');
        }}
        error={form.problemOf('channels')}
      />
      <div class="actions">
        <SubmitButton form={form} testId="replay-start">
          Start
        </SubmitButton>
        <CheckField
          label="Loop"
          checked={loop}
          onChange={(checked) => change({ loop: checked }, 'loop')}
          testId="replay-loop"
        />
      </div>
      <ErrorNotice error={form.error.value} testId="replay-error" />
    </form>
  );
};
