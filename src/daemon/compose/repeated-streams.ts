import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Caller } from '../../operations/dispatcher.ts';
import { modbusStatus } from '../../operations/modbus.ts';
import { modbusRegisters, modbusStream } from '../../operations/modbus-stream.ts';
import { channelTraffic, channelTrafficStream } from '../../operations/traffic.ts';
import type { RepeatedQuestion } from '../../web/sse/repeated-answers.ts';

/** Carries out an operation in the thread that has it. */
type Invoke = (operation: string, input: object, caller: Caller) => Promise<unknown>;

const caller: Caller = { face: 'http', project: null };

const secondMs = 1000;
const registersMs = 250;

interface Traffic {
  readonly channels: readonly { readonly seconds: readonly { readonly at_us: number }[] }[];
}

/** Each answer goes on where the one before has ended. */
const trafficQuestion = (invoke: Invoke): RepeatedQuestion => {
  let knownUs = 0;
  return {
    event: 'traffic',
    periodMs: secondMs,
    ask: async () => {
      const answer = await invoke(channelTraffic.id, { after_us: knownUs }, caller);
      const seconds = (answer as Traffic).channels.flatMap((channel) => channel.seconds);
      knownUs = Math.max(knownUs, ...seconds.map(({ at_us }) => at_us));
      return answer;
    },
  };
};

/** What a server holds, or why that is not known: a server may come back. */
const registersQuestion = (invoke: Invoke, query: object): RepeatedQuestion => ({
  event: 'registers',
  periodMs: registersMs,
  ask: () =>
    invoke(modbusRegisters.id, query, caller).catch((thrown: unknown) => {
      const { code, message, details } = BusbarError.from(thrown).toRecord();
      return { error: { code, message, details } };
    }),
});

const modbusQuestions = (invoke: Invoke, query: object): readonly RepeatedQuestion[] => {
  const status = {
    event: 'status',
    periodMs: secondMs,
    // Rates can be told from counts that stay the same, too.
    isAlwaysSent: true,
    ask: () => invoke(modbusStatus.id, {}, caller),
  };
  const namesServer = 'network' in query || 'endpoint' in query;
  return namesServer ? [status, registersQuestion(invoke, query)] : [status];
};

/** What the streams ask over and over that are made of the answers of other operations. */
export const repeatedQuestions = (
  operation: string,
  query: object,
  invoke: Invoke,
): readonly RepeatedQuestion[] => {
  if (operation === channelTrafficStream.id) return [trafficQuestion(invoke)];
  if (operation === modbusStream.id) return modbusQuestions(invoke, query);
  throw new BusbarError('internal_error', { details: { operation_id: operation } });
};
