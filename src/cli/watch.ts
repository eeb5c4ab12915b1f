import type { SignalSample } from '../signal/live/sample-record.ts';
import type { SignalPlanPage } from '../signal/service/signal-records.ts';
import type { WatchedSignal } from '../signal/service/watched-signal.ts';
import type { CliContext, DaemonCommand } from './context.ts';
import { openLink } from './daemon-link.ts';
import { lineStream, lineTime } from './line-stream.ts';
import { amountText } from './signal-line.ts';
import { watchTable } from './signal-table.ts';

type Plan = SignalPlanPage['plans'][number];

/** `(1699999999.123456)  Engine  EngineSpeed  820.25 rpm` */
const textLine = (sample: SignalSample, message: string): string => {
  const { signal, valid, timestamp_us } = sample;
  const mark = valid ? '' : '  (invalid)';
  return `${lineTime(timestamp_us)}  ${message}  ${signal}  ${amountText(sample)}${mark}\n`;
};

const watchedLine = (watched: WatchedSignal): string => {
  const { message, signal, timestamp_us } = watched;
  return `${lineTime(timestamp_us)}  ${message}  ${signal}  ${amountText(watched)}\n`;
};

const plansOf = async ({ home, clock, project }: CliContext): Promise<readonly Plan[]> => {
  const link = await openLink(home, clock);
  // The stream fails the same way and reports the reason.
  if (!link) return [];
  try {
    const plans: Plan[] = [];
    for (let offset = 0; ; ) {
      const page = (await link.call('signal.list', { offset }, project)) as SignalPlanPage;
      plans.push(...page.plans);
      if (page.plans.length === 0 || page.plan_next_offset >= page.plan_total) return plans;
      offset = page.plan_next_offset;
    }
  } finally {
    link.close();
  }
};

/** The signals of a plan of several messages have their message in their names. */
const nameOf = ({ message, plan_id }: Plan): string => message ?? plan_id;

const namesOf = (plans: readonly Plan[]): ReadonlyMap<string, string> => {
  const forms: readonly ((plan: Plan) => string)[] = [
    (plan) => nameOf(plan),
    (plan) => `${plan.channel}  ${nameOf(plan)}`,
    (plan) => `${plan.plan_id}  ${nameOf(plan)}`,
  ];
  const names = new Map<string, string>();
  for (const form of forms) {
    const seen = new Map<string, number>();
    for (const plan of plans) seen.set(form(plan), (seen.get(form(plan)) ?? 0) + 1);
    for (const plan of plans) {
      const name = form(plan);
      if (seen.get(name) === 1 && !names.has(plan.plan_id)) names.set(plan.plan_id, name);
    }
  }
  return names;
};

export const watch: DaemonCommand = async (command, { table, ...values }, context) => {
  if (table === true) return watchTable(command, values, context);
  if (values.channel !== undefined) {
    return lineStream<WatchedSignal>({ text: watchedLine })(command, values, context);
  }
  const names = namesOf(context.format === 'text' ? await plansOf(context) : []);
  const text = (sample: SignalSample): string =>
    textLine(sample, names.get(sample.plan_id) ?? sample.plan_id);
  return lineStream({ text })(command, values, context);
};
