import { signal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';
import { call, type TraceSummary } from '../../api/client.ts';
import { counted, formatMicroseconds } from '../../format/figures.ts';
import { sources } from '../../forms/bench-sources.ts';
import type { Problem } from '../../forms/contract.ts';
import { numberOf } from '../../forms/number-text.ts';
import { FormView } from '../../forms/schema-fields.tsx';
import { type Control, schemaForm } from '../../forms/schema-form.ts';
import { TextField } from '../../ui/fields.tsx';
import {
  fileChannels,
  fillMap,
  firstMap,
  mapBody,
  mapProblems,
  silentReplay,
} from './channel-map.ts';
import { ChannelMapEditor } from './channel-map-editor.tsx';
import { replay } from './work-resources.ts';

const limitMs = 20_000;

const replayFile = signal<TraceSummary | null>(null);

const replayFileError = signal<ApiError | null>(null);

let summarized = '';

let reading: Promise<void> = Promise.resolve();

const read = async (file: string): Promise<void> => {
  try {
    const summary = await call('trace.summary', { file }, { limitMs });
    if (file === summarized) replayFile.value = summary;
  } catch (thrown) {
    if (file === summarized) replayFileError.value = thrown as ApiError;
  }
};

const forgetFile = (): void => {
  summarized = '';
  replayFile.value = null;
  replayFileError.value = null;
};

const readSummary = (file: string): Promise<void> => {
  if (file === '' || file === summarized) return reading;
  forgetFile();
  summarized = file;
  reading = read(file);
  return reading;
};

const map = signal(firstMap);

// The draft survives the replay, during which the form is hidden.
const form = schemaForm(
  'replay.start',
  { file: '', filter: '', speed: '1', start_offset_us: '', loop: false },
  [
    {
      key: 'file',
      label: 'File',
      class: 'pair',
      testId: 'replay-file',
      render: ({ onChange, error, ...control }: Control<string>) => (
        <div onChange={() => void fillIn()}>
          <TextField
            {...control}
            onInput={(text) => {
              onChange(text);
              forgetFile();
            }}
            error={error ?? replayFileError.value?.message}
            {...(replayFile.value ? { hint: factsOf(replayFile.value) } : {})}
          />
        </div>
      ),
    },
    { key: 'filter', label: 'Filter', class: 'pair', testId: 'replay-filter' },
    { key: 'speed', label: 'Speed (×)', testId: 'replay-speed' },
    { key: 'start_offset_us', label: 'Start offset', testId: 'replay-offset' },
    { key: 'loop', label: 'Loop', isAction: true, testId: 'replay-loop' },
  ],
);

let filled: TraceSummary | null = null;

const fillIn = async (): Promise<void> => {
  await readSummary(form.draft.peek().file.trim());
  const found = replayFile.peek();
  if (!found || found === filled) return;
  filled = found;
  map.value = fillMap(map.peek(), fileChannels(found));
};

const problemsNow = (): readonly Problem[] => {
  const { loop, start_offset_us: offset } = form.draft.peek();
  const own = mapProblems(map.peek());
  if (own.length > 0) return own;
  const plan = {
    map: map.peek(),
    file: replayFile.peek(),
    offsetUs: Number(numberOf(offset) ?? 0),
    isLooping: loop,
  };
  const silence = silentReplay(plan, sources.peek());
  return silence === null ? [] : [{ field: 'channels', message: silence }];
};

/** Problems found in the file. A file with problems is read again, because it can have changed. */
const problemsOfFile = async (): Promise<readonly Problem[]> => {
  await fillIn();
  if (problemsNow().length === 0) return [];
  forgetFile();
  await fillIn();
  return problemsNow();
};

const submit = async (): Promise<void> => {
  const hasFile = form.draft.peek().file.trim() !== '';
  const problems = hasFile ? await problemsOfFile() : [{ field: 'file', message: 'Required' }];
  const body = { ...form.body(), channels: mapBody(map.peek()) };
  const visible = ['file', 'channels', 'filter', 'speed', 'loop', 'start_offset_us'];
  if (await form.submit({ body, visible, problems })) await replay.refresh();
};

const factsOf = ({ format, events, duration_us, complete }: TraceSummary): string =>
  [
    format.toUpperCase(),
    `${complete ? '' : 'at least '}${counted(events, 'event')}`,
    formatMicroseconds(duration_us),
  ].join(', ');

export const ReplayForm = () => (
  <FormView form={form} name="replay" submitId="replay-start" submitText="Start" onSubmit={submit}>
    <ChannelMapEditor
      map={map.value}
      channels={replayFile.value ? fileChannels(replayFile.value) : []}
      onChange={(changed) => {
        map.value = changed;
        form.touch('channels');
      }}
      error={form.problemOf('channels')}
    />
  </FormView>
);
