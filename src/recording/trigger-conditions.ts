import { compileCondition } from '../condition/compile-condition.ts';
import {
  type ConditionContext,
  type ConditionDatabase,
  databaseForConditions,
} from '../condition/condition-context.ts';
import { ConditionRun } from '../condition/condition-run.ts';
import { guardedName } from '../condition/condition-setup.ts';
import { parseCondition } from '../condition/parse-condition.ts';
import { readDatabase } from '../database/read-database.ts';
import { channelOfKey } from '../trace/channel-key.ts';
import type { RecordedDatabase, RecordingTrigger } from './recording-request.ts';
import { Trigger } from './trigger.ts';

interface ChannelDatabase {
  readonly database: ConditionDatabase;
  readonly channels: readonly number[];
}

const opened = ({ name, file, type, content, channels }: RecordedDatabase): ChannelDatabase => ({
  database: databaseForConditions(name, readDatabase(file, content, type).database),
  channels,
});

export interface TriggerSetup {
  readonly databases: readonly RecordedDatabase[];
  /** Unix time of the events' time 0. */
  readonly startUnixUs: number;
  /** Whether a channel, by its number, is recorded. Others are read for the names after `on`. */
  readonly isRecorded: (channel: number) => boolean;
}

/** Compiles the conditions of a trigger. Throws what refuses them, with the field of the text. */
export const compileTrigger = (
  { start, stop, post_ms, once, channels, guarded }: RecordingTrigger,
  { databases, startUnixUs, isRecorded }: TriggerSetup,
): Trigger => {
  const own = databases.map(opened);
  const context: ConditionContext = {
    databases: own.map(({ database }) => database),
    databasesOf: (key) => {
      const { channel } = channelOfKey(key);
      return own.flatMap((one) => (one.channels.includes(channel) ? [one.database] : []));
    },
    isChannel: (selector, key) => channels[selector] === channelOfKey(key).channel,
    isWatched: (key) => isRecorded(channelOfKey(key).channel),
    protectedMessage: (instance, message) =>
      guarded[guardedName(instance, message)] ?? `no instance ${instance}`,
    startUnixUs,
  };
  const ends = [
    { field: 'trigger.start', text: start },
    { field: 'trigger.stop', text: stop },
  ].filter(({ text }) => text !== null);
  const compiled = ends.map(({ field, text }) =>
    compileCondition(parseCondition(text as string, field), field, context),
  );
  return new Trigger({
    run: new ConditionRun(context, compiled),
    start: start === null ? null : 0,
    stop: stop === null ? null : compiled.length - 1,
    postMs: post_ms,
    once,
  });
};
