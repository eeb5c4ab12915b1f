import { useEffect } from 'preact/hooks';
import { counted, sentence } from '../../format/figures.ts';
import { SubmitButton } from '../../forms/schema-fields.tsx';
import { bench } from '../../state/bench.ts';
import { Segments } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { AnswerView } from './answer-view.tsx';
import { status } from './modbus-state.ts';
import { bodyOf, modes } from './request-draft.ts';
import { knownPlaces, networkNames, RequestFields } from './request-fields.tsx';
import { limitOf, writeNote } from './request-limits.ts';
import {
  change,
  chooseMode,
  draft,
  forms,
  type Outcome,
  outcome,
  scan,
  scanning,
  visible,
} from './request-state.ts';

const submit = async (event: Event): Promise<void> => {
  event.preventDefault();
  const { mode } = draft.peek();
  outcome.value = null;
  if (mode === 'scan') {
    await scan(networkNames());
    return;
  }
  const body = bodyOf(draft.peek(), networkNames());
  const options = { limitMs: limitOf(draft.peek()) };
  const answer = await forms[mode].submit({ body, visible, options });
  if (answer) outcome.value = { mode, answer } as Outcome;
};

const useLikelyPlace = (): void =>
  useEffect(() => {
    const [place] = knownPlaces();
    if (place !== undefined && draft.peek().place === '') change({ place });
  }, [status.value === null, bench.data.value === null]);

const ScanProgress = () => {
  if (!scanning.value) return null;
  const { scanned, total, cancel } = scanning.value;
  return (
    <>
      <progress max={total} value={scanned} aria-label="Units scanned" />
      <span class="quiet" data-testid="modbus-scan-progress">
        {scanned} of {counted(total, 'unit')}
      </span>
      <button type="button" data-testid="modbus-scan-cancel" onClick={cancel}>
        Cancel
      </button>
    </>
  );
};

export const RequestPanel = () => {
  const { mode } = draft.value;
  const form = forms[mode];
  const note = mode === 'write' && form.error.value && writeNote(form.error.value);
  useLikelyPlace();
  return (
    <Panel
      title="Request"
      testId="modbus-request"
      class="request"
      header={
        <Segments
          label="Request type"
          value={mode}
          choices={modes.map((value) => ({ value, label: sentence(value) }))}
          onChange={chooseMode}
          testId="modbus-mode"
        />
      }
    >
      <div class="scroll">
        <form noValidate onSubmit={submit} data-testid="modbus-form">
          <RequestFields />
          <div class="actions">
            <SubmitButton form={form} testId="modbus-send">
              {sentence(mode)}
            </SubmitButton>
            {mode === 'scan' ? (
              <ScanProgress />
            ) : (
              form.isBusy.value && (
                <span class="quiet" role="status">
                  Waiting for the response…
                </span>
              )
            )}
          </div>
        </form>
        <ErrorNotice error={form.error.value} testId="modbus-request-error" />
        {note && <p data-testid="modbus-write-note">{note}</p>}
        {outcome.value && <AnswerView outcome={outcome.value} />}
      </div>
    </Panel>
  );
};
