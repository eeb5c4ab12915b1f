import { BusbarError } from '../../base/errors/busbar-error.ts';
import { channelList, channelStats } from '../../operations/channel.ts';
import type { HttpBinding, ResultOf } from '../../operations/define.ts';
import type { Caller } from '../../operations/dispatcher.ts';
import { gatewayStatus } from '../../operations/gateway.ts';
import { health } from '../../operations/health.ts';
import { planPage } from '../../operations/limits.ts';
import { modbusStatus } from '../../operations/modbus.ts';
import { modbusRegisters, modbusStream } from '../../operations/modbus-stream.ts';
import { signalList } from '../../operations/signal.ts';
import { stateStream } from '../../operations/state-stream.ts';
import { channelTraffic, channelTrafficStream } from '../../operations/traffic.ts';
import { argumentsOf } from './request.ts';

export interface PeriodicQuery {
  readonly event: string;
  readonly periodMs: number;
  readonly isAlwaysSent?: boolean;
  readonly ask: () => Promise<unknown>;
}

export type Invoke = (operation: string, input: object, caller: Caller) => Promise<unknown>;

const caller: Caller = { face: 'http', project: null };

const secondMs = 1000;
const registersMs = 250;

/** Each answer continues where the previous one ended. */
const trafficQuestion = (invoke: Invoke, event: string): PeriodicQuery => {
  let knownUs = 0;
  return {
    event,
    periodMs: secondMs,
    ask: async () => {
      const answer = await invoke(channelTraffic.id, { after_us: knownUs }, caller);
      const seconds = (answer as ResultOf<typeof channelTraffic>).channels.flatMap(
        (channel) => channel.seconds,
      );
      knownUs = Math.max(knownUs, ...seconds.map(({ at_us }) => at_us));
      return answer;
    },
  };
};

const orError = (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((thrown: unknown) => {
    const { code, message, details } = BusbarError.from(thrown).toRecord();
    return { error: { code, message, details } };
  });

/** Registers of a server, or the error. The server can become reachable again. */
const registersQuestion = (invoke: Invoke, query: object): PeriodicQuery => ({
  event: 'registers',
  periodMs: registersMs,
  ask: () => orError(invoke(modbusRegisters.id, query, caller)),
});

const registersAsked = (query: string): object =>
  argumentsOf(modbusRegisters, modbusRegisters.http as HttpBinding, {
    target: `/?${query}`,
    params: {},
    body: undefined,
  });

const lookQuestion = (invoke: Invoke, look: string): PeriodicQuery => ({
  event: 'registers',
  periodMs: registersMs,
  ask: async () => {
    const asked = async () => invoke(modbusRegisters.id, registersAsked(look), caller);
    return { look, ...((await orError(asked())) as object) };
  },
});

const modbusQuestions = (invoke: Invoke, query: object): readonly PeriodicQuery[] => {
  const status = {
    event: 'status',
    periodMs: secondMs,
    // Rates need counts even if they are unchanged.
    isAlwaysSent: true,
    ask: () => invoke(modbusStatus.id, {}, caller),
  };
  const { also = [], ...named } = query as { readonly also?: readonly string[] };
  const namesServer = 'network' in named || 'endpoint' in named;
  return [
    status,
    ...(namesServer ? [registersQuestion(invoke, named)] : []),
    ...also.map((look) => lookQuestion(invoke, look)),
  ];
};

const allStats = async (invoke: Invoke): Promise<unknown> => {
  const { channels } = (await invoke(channelList.id, {}, caller)) as ResultOf<typeof channelList>;
  const asked = channels.map(({ slot }) =>
    invoke(channelStats.id, { selector: String(slot) }, caller).catch((thrown: unknown) => {
      if (BusbarError.from(thrown).code === 'channel_not_open') return null;
      throw thrown;
    }),
  );
  return { channels: (await Promise.all(asked)).filter((stats) => stats !== null) };
};

/** Status of the gateway instances, without counters, which would change every answer. */
const allInstances = async (invoke: Invoke): Promise<unknown> => {
  const { gateway } = (await invoke(health.id, {}, caller)) as ResultOf<typeof health>;
  return { gateways: gateway.instances };
};

const stateAnswer = (invoke: Invoke, operation: string): Promise<unknown> => {
  if (operation === channelStats.id) return allStats(invoke);
  if (operation === gatewayStatus.id) return allInstances(invoke);
  const input = operation === signalList.id ? { limit: planPage.maximum } : {};
  return invoke(operation, input, caller);
};

const stateQuestion = (invoke: Invoke, operation: string): PeriodicQuery => {
  if (operation === channelTraffic.id) {
    const question = trafficQuestion(invoke, operation);
    return { ...question, ask: () => orError(question.ask()) };
  }
  return {
    event: operation,
    periodMs: secondMs,
    // Trends need values even if they are unchanged.
    isAlwaysSent: operation === channelStats.id,
    ask: () => orError(stateAnswer(invoke, operation)),
  };
};

const stateQuestions = (invoke: Invoke, query: object): readonly PeriodicQuery[] =>
  (query as { readonly include: readonly string[] }).include.map((operation) =>
    stateQuestion(invoke, operation),
  );

/** Periodic queries of streams that consist of other operations' answers. */
export const repeatedQuestions = (
  operation: string,
  query: object,
  invoke: Invoke,
): readonly PeriodicQuery[] => {
  if (operation === channelTrafficStream.id) return [trafficQuestion(invoke, 'traffic')];
  if (operation === modbusStream.id) return modbusQuestions(invoke, query);
  if (operation === stateStream.id) return stateQuestions(invoke, query);
  throw new BusbarError('internal_error', { details: { operation_id: operation } });
};
