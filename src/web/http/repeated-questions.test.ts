import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { modbusStream } from '../../operations/modbus-stream.ts';
import { stateStream } from '../../operations/state-stream.ts';
import { repeatedQuestions } from './repeated-questions.ts';

/** Responses of a bench with two channels; the second one is closed during the test. */
const invoke = async (operation: string, input: object): Promise<unknown> => {
  if (operation === 'channel.list') return { channels: [{ slot: 0 }, { slot: 1 }] };
  if (operation === 'health') return { time_us: 1, gateway: { instances: [{ instance: 'pump' }] } };
  if (operation === 'tx-task.list') throw new BusbarError('internal_error');
  const { selector } = input as { selector?: string };
  if (selector === '1') throw new BusbarError('channel_not_open');
  return { slot: Number(selector) };
};

const answerTo = (operation: string): Promise<unknown> | undefined =>
  repeatedQuestions(stateStream.id, { include: [operation] }, invoke)[0]?.ask();

describe('the stream of states', () => {
  it('asks for each operation that is included, under its name', () => {
    const include = ['channel.list', 'channel.stats', 'channel.traffic'];
    const questions = repeatedQuestions(stateStream.id, { include }, invoke);
    expect(questions.map(({ event }) => event)).toEqual(include);
  });

  it.each(['tx-task.list', 'channel.traffic'])('tells why %s has no answer', async (operation) => {
    const failing = async () => {
      throw new BusbarError('internal_error');
    };
    const [question] = repeatedQuestions(stateStream.id, { include: [operation] }, failing);
    expect(await question?.ask()).toMatchObject({ error: { code: 'internal_error' } });
  });

  it('tells the statistics of all channels but one that was closed meanwhile', async () => {
    expect(await answerTo('channel.stats')).toEqual({ channels: [{ slot: 0 }] });
  });

  it('tells of gateway instances what stays the same while nothing happens to them', async () => {
    expect(await answerTo('gateway.status')).toEqual({ gateways: [{ instance: 'pump' }] });
  });

  it('tells why an operation has no answer, and goes on', async () => {
    expect(await answerTo('tx-task.list')).toMatchObject({ error: { code: 'internal_error' } });
  });
});

describe('the stream of Modbus', () => {
  it('tells of several looks on one connection, each under its own text', async () => {
    const asked: object[] = [];
    const looks = ['endpoint=tcp:h:1&unit=2&address=3', 'endpoint=tcp:h:1&colour=red'];
    const questions = repeatedQuestions(modbusStream.id, { also: looks }, async (_, input) => {
      asked.push(input);
      return { values: ['7'] };
    });
    expect(questions.map(({ event }) => event)).toEqual(['status', 'registers', 'registers']);
    expect(await questions[1]?.ask()).toEqual({ look: looks[0], values: ['7'] });
    expect(asked).toEqual([{ endpoint: 'tcp:h:1', unit: 2, address: 3 }]);
    const refusal = { code: 'invalid_argument', details: { field: 'colour' } };
    expect(await questions[2]?.ask()).toMatchObject({ look: looks[1], error: refusal });
  });
});
