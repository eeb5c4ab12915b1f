import { signal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';
import { call, type TraceSummary } from '../../api/client.ts';
import { counted, formatMicroseconds } from '../../format/figures.ts';
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
import { replay, sources } from './work-resources.ts';

/** The service reads a large file for some seconds. */
const limitMs = 20_000;

/** What the file that is to be replayed holds; null while that is not known. */
const replayFile = signal<TraceSummary | null>(null);

/** Why it is not known. */
const replayFileError = signal<ApiError | null>(null);

let lookedInto = '';

let look: Promise<void> = Promise.resolve();

const read = async (file: string): Promise<void> => {
  try {
    const summary = await call('trace.summary', { file }, { limitMs });
    if (file === lookedInto) replayFile.value = summary;
  } catch (thrown) {
    if (file === lookedInto) replayFileError.value = thrown as ApiError;
  }
};

/** Forgets what was found, because another file is being named. */
const forgetFile = (): void => {
  lookedInto = '';
  replayFile.value = null;
  replayFileError.value = null;
};

/** Looks into a file, unless that was done or is under way. */
const lookInto = (file: string): Promise<void> => {
  if (file === '' || file === lookedInto) return look;
  forgetFile();
  lookedInto = file;
  look = read(file);
  return look;
};

const map = signal(firstMap);

// The draft outlives the replay, during which the form is not shown.
const form = schemaForm(
  'replay.start',
  { file: '', speed: '1', start_offset_us: '', loop: false },
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
    { key: 'speed', label: 'Speed (×)', testId: 'replay-speed' },
    { key: 'start_offset_us', label: 'Start offset', testId: 'replay-offset' },
    { key: 'loop', label: 'Loop', isAction: true, testId: 'replay-loop' },
  ],
);

/** The file whose channels are in the map. */
let filled: TraceSummary | null = null;

/** Looks into the file and offers its channels, once; rows that were typed stay. */
const fillIn = async (): Promise<void> => {
  await lookInto(form.draft.peek().file.trim());
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

/** What is wrong by what is known of the file, which may have changed since it was looked into. */
const problemsOfFile = async (): Promise<readonly Problem[]> => {
  await fillIn();
  if (problemsNow().length === 0) return [];
  forgetFile();
  await fillIn();
  return problemsNow();
};

const submit = async (): Promise<void> => {
  const problems = await problemsOfFile();
  const body = { ...form.body(), channels: mapBody(map.peek()) };
  const visible = ['file', 'channels', 'speed', 'loop', 'start_offset_us'];
  if (await form.submit({ body, visible, problems })) await replay.refresh();
};

const factsOf = ({ format, events, duration_us, complete }: TraceSummary): string =>
  [
    format.toUpperCase(),
    `${complete ? '' : 'at least '}${counted(events, 'event')}`,
    formatMicroseconds(duration_us),
  ].join(', ');

/** What to replay, where to, and how fast. */
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
