import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Answer, DiagnosticResponse, OperationId } from '../../api/client.ts';
import { FormView } from '../../forms/schema-fields.tsx';
import { type FieldLayout, type SchemaForm, schemaForm } from '../../forms/schema-form.ts';
import { ScrollArea } from '../../ui/panel.tsx';
import { links, sessionText } from './diagnostics-state.ts';
import { limitMs, rememberService, spaced } from './request-history.ts';
import { AnswerNotice, type ServiceAnswer } from './service-answer.tsx';

type ServiceId = Extract<
  OperationId,
  | 'uds.session'
  | 'uds.reset'
  | 'uds.security'
  | 'uds.routine'
  | 'uds.communication'
  | 'uds.dtc-setting'
>;

type Result<Id extends ServiceId> = NonNullable<Answer<Id>['result']>;

interface Service<Id extends ServiceId, Fields extends object> {
  readonly title: string;
  readonly submitText: string;
  readonly form: SchemaForm<Id, Fields>;
  readonly shown: Signal<{
    readonly ecu: string;
    readonly answer: ServiceAnswer;
    text: string;
  } | null>;
  readonly textOf: (result: Result<Id>) => string;
}

const service = <Id extends ServiceId, Fields extends object>(
  id: Id,
  title: string,
  submitText: string,
  first: Fields,
  layout: readonly FieldLayout<Fields>[],
  textOf: (result: Result<Id>) => string,
): Service<Id, Fields> => ({
  ...{ title, submitText, textOf, shown: signal(null) },
  form: schemaForm(id, first, layout),
});

const session = service(
  'uds.session',
  'Session',
  'Change',
  { session: 'extended' },
  [
    {
      key: 'session',
      label: 'Change to',
      suggestions: ['default', 'programming', 'extended'],
      testId: 'session',
    },
  ],
  ({ session, p2_ms, p2_star_ms }) =>
    `Session ${sessionText(session)}${p2_ms === null ? '' : `, P2 ${p2_ms} ms, P2* ${p2_star_ms} ms`}.`,
);

const reset = service(
  'uds.reset',
  'Reset',
  'Reset',
  { reset: 'hard' },
  [{ key: 'reset', label: 'Kind', suggestions: ['hard', 'key', 'soft'], testId: 'reset' }],
  ({ power_down_time_s }) =>
    `The ECU resets${power_down_time_s === null ? '' : `, off in ${power_down_time_s} s`}.`,
);

const security = service(
  'uds.security',
  'Security access',
  'Unlock',
  { level: '1', key: '' },
  [
    { key: 'level', label: 'Level', testId: 'security-level' },
    { key: 'key', label: 'Key', placeholder: 'computed', testId: 'security-key' },
  ],
  ({ level, seed, unlocked }) =>
    unlocked
      ? `Level ${level} is unlocked.`
      : `The seed is ${spaced(seed ?? '')}. Enter its key and unlock again.`,
);

const routine = service(
  'uds.routine',
  'Routine',
  'Run',
  { action: 'start', routine: '', data: '' },
  [
    {
      key: 'action',
      label: 'Action',
      choices: ['start', 'stop', 'result'],
      testId: 'routine-action',
    },
    { key: 'routine', label: 'Routine', placeholder: '0203', testId: 'routine-id' },
    { key: 'data', label: 'Option bytes', placeholder: 'none', testId: 'routine-data' },
  ],
  ({ routine, action, data }) =>
    `Routine ${routine} ${action}: ${data === '' ? 'done' : spaced(data)}.`,
);

const communication = service(
  'uds.communication',
  'Communication',
  'Set',
  { control: 'enable-rx-tx' },
  [
    {
      key: 'control',
      label: 'Control',
      suggestions: ['enable-rx-tx', 'enable-rx', 'enable-tx', 'disable-rx-tx'],
      testId: 'communication',
    },
  ],
  () => 'Done.',
);

const dtcSetting = service(
  'uds.dtc-setting',
  'Trouble code storage',
  'Set',
  { setting: 'on' },
  [{ key: 'setting', label: 'Setting', suggestions: ['on', 'off'], testId: 'dtc-setting' }],
  ({ setting }) => `Trouble codes are ${setting === 1 ? '' : 'not '}stored.`,
);

interface ServiceFormProps<Id extends ServiceId, Fields extends object> {
  readonly ecu: string;
  readonly of: Service<Id, Fields>;
  readonly children?: ComponentChildren;
}

const ServiceForm = <Id extends ServiceId, Fields extends object>({
  ecu,
  of: { title, submitText, form, shown, textOf },
}: ServiceFormProps<Id, Fields>) => {
  const name = form.id.replace('uds.', '');
  const submit = async (): Promise<void> => {
    shown.value = null;
    const answer = (await form.submit({
      params: { ecu } as never,
      options: { limitMs },
    })) as (DiagnosticResponse & { readonly result: Result<Id> | null }) | null;
    if (!answer) return;
    rememberService(answer);
    const text = answer.result ? textOf(answer.result) : 'Sent.';
    shown.value = { ecu, answer, text };
    await links.refresh();
  };
  const latest = shown.value?.ecu === ecu ? shown.value : null;
  return (
    <section class="service">
      <h3>{title}</h3>
      <FormView
        form={form}
        name={name}
        class="service-form"
        submitId={`${name}-submit`}
        submitText={submitText}
        onSubmit={submit}
        isOneLine
      />
      {latest && (
        <AnswerNotice answer={latest.answer} text={latest.text} testId={`${name}-answer`} />
      )}
    </section>
  );
};

/** Services with few options; every other one is a request as bytes. */
export const ServicesView = ({ ecu }: { readonly ecu: string }) => (
  <ScrollArea class="services">
    <ServiceForm ecu={ecu} of={session} />
    <ServiceForm ecu={ecu} of={security} />
    <ServiceForm ecu={ecu} of={reset} />
    <ServiceForm ecu={ecu} of={routine} />
    <ServiceForm ecu={ecu} of={communication} />
    <ServiceForm ecu={ecu} of={dtcSetting} />
  </ScrollArea>
);
