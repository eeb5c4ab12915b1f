import { signal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';
import { call, type TraceSummary } from '../../api/client.ts';
import { counted, formatMicroseconds } from '../../format/figures.ts';
import { numberOf } from '../../forms/number-text.ts';
import { requestForm } from '../../forms/request-form.ts';
import type { Problem } from '../../forms/schema-problems.ts';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { CheckField, TextField } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { fillMap, firstMap, mapBody, mapProblems } from './channel-map.ts';
import { ChannelMapEditor } from './channel-map-editor.tsx';
import { silentReplay } from './silent-replay.ts';
import { fileChannels } from './trace-channels.ts';
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

const form = requestForm('replay.start');

const visible = ['file', 'channels', 'speed', 'loop', 'start_offset_us'];

const empty = { file: '', speed: '1', loop: false, offset: '' };

// They outlive the replay, during which the form is not there.
const draft = signal(empty);
const map = signal(firstMap);

const change = (part: Partial<typeof empty>, field: string): void => {
  draft.value = { ...draft.value, ...part };
  form.touch(field);
};

/** The file whose channels are in the map. */
let filled: TraceSummary | null = null;

/** Looks into the file and offers its channels, once; rows that were typed stay. */
const fillIn = async (): Promise<void> => {
  await lookInto(draft.peek().file.trim());
  const found = replayFile.peek();
  if (!found || found === filled) return;
  filled = found;
  map.value = fillMap(map.peek(), fileChannels(found));
};

const problemsNow = (): readonly Problem[] => {
  const { loop, offset } = draft.peek();
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

const submit = async (event: Event): Promise<void> => {
  event.preventDefault();
  const problems = await problemsOfFile();
  const { file, speed, loop, offset } = draft.peek();
  const started = await form.submit({
    body: {
      file: file.trim(),
      channels: mapBody(map.peek()),
      speed: numberOf(speed),
      loop,
      start_offset_us: numberOf(offset),
    },
    visible,
    problems,
  });
  if (started) await replay.refresh();
};

const factsOf = ({ format, events, duration_us, complete }: TraceSummary): string =>
  [
    format.toUpperCase(),
    `${complete ? '' : 'at least '}${counted(events, 'event')}`,
    formatMicroseconds(duration_us),
  ].join(', ');

/** What to replay, where to, and how fast. */
export const ReplayForm = () => {
  const { file, speed, loop, offset } = draft.value;
  const known = replayFile.value;
  return (
    <form class="line-form" noValidate onSubmit={submit} data-testid="replay-form">
      <div class="fields">
        <div class="pair" onChange={() => void fillIn()}>
          <TextField
            label="File"
            value={file}
            onInput={(text) => {
              change({ file: text }, 'file');
              forgetFile();
            }}
            error={form.problemOf('file') ?? replayFileError.value?.message}
            {...(known ? { hint: factsOf(known) } : {})}
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
        channels={known ? fileChannels(known) : []}
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
