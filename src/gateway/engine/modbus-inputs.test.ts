import { describe, expect, it } from 'vitest';
import { EngineRig } from './testing/engine-rig.ts';
import { plantProject } from './testing/plant-project.ts';
import { rule } from './testing/rules.ts';

const ms = 1000;

const inputs = 'pump input 0+5 every 100';
const state = 'pump holding 20+1 every 100';
const stateOk = 'pump discrete 3+1 every 200';

const start = (): EngineRig => new EngineRig(plantProject()).start();

/** Delivers a response, or an exception, in a separate round. */
const answer = (rig: EngineRig, read: string, items: number[] | null, atUs: number): void => {
  rig.runUntil(atUs);
  rig.poll(read, items);
  rig.run();
};

describe('a unit that is polled', () => {
  it(rule('merged polls', 'is asked for what touches at once, and for nothing else'), () => {
    expect(start().polls).toEqual([inputs, state, stateOk]);
  });

  it(rule('polled values', 'is observed when it answers'), () => {
    const rig = start();
    expect(rig.signal('level')).toMatchObject({ value: null, valid: false, quality: 'initial' });
    answer(rig, inputs, [0xff38, 1, 2, 3, 4], 30 * ms);
    expect(rig.signal('level')).toMatchObject({ value: '-20', valid: true, observed_us: 30 * ms });
    expect(rig.signal('energy').value).toBe(`${(1n << 48n) + (2n << 32n) + (3n << 16n) + 4n}`);
    answer(rig, inputs, [0x8000, 0, 0, 0, 4], 40 * ms);
    expect(rig.signal('level')).toMatchObject({ value: '-20', valid: false, quality: 'invalid' });
    expect(rig.signal('energy')).toMatchObject({ value: '4', observed_us: 40 * ms });
  });

  it(rule('silent unit', 'lets its values time out after three polls'), () => {
    const rig = start();
    answer(rig, inputs, [5, 0, 0, 0, 0], 10 * ms);
    rig.runUntil(310 * ms - 1);
    expect(rig.signal('level').quality).toBe('good');
    rig.runUntil(310 * ms);
    expect(rig.signal('level')).toMatchObject({ value: '0.5', valid: false, quality: 'timeout' });
    expect(rig.signal('state').quality).toBe('initial');
  });

  it(rule('poll exception', 'is an error once its values are too old, and not before'), () => {
    const rig = start();
    answer(rig, inputs, [5, 0, 0, 0, 0], 10 * ms);
    answer(rig, inputs, null, 100 * ms);
    rig.runUntil(310 * ms - 1);
    expect(rig.signal('level').quality).toBe('good');
    rig.runUntil(310 * ms);
    expect(rig.signal('level')).toMatchObject({ value: '0.5', valid: false, quality: 'error' });
    answer(rig, inputs, [6, 0, 0, 0, 0], 400 * ms);
    expect(rig.signal('level')).toMatchObject({ value: '0.6', quality: 'good' });
    rig.runUntil(700 * ms);
    expect(rig.signal('level').quality).toBe('timeout');
    answer(rig, inputs, null, 800 * ms);
    expect(rig.signal('level').quality).toBe('error');
  });

  it(rule('poll exception', 'counts from the start where it never told anything'), () => {
    const rig = start();
    answer(rig, state, null, 250 * ms);
    rig.runUntil(300 * ms - 1);
    expect(rig.signal('state')).toMatchObject({ value: '9', quality: 'initial' });
    rig.runUntil(300 * ms);
    expect(rig.signal('state')).toMatchObject({ value: '9', quality: 'error' });
  });

  it(rule('lost link', 'is disconnected at once, and back with its next answer'), () => {
    const rig = start();
    rig.poll(inputs, [5, 0, 0, 0, 0], 10 * ms);
    rig.nowUs = 20 * ms;
    rig.disconnect('pump', 'tx_failed');
    rig.run();
    // The earlier value is still known.
    expect(rig.signal('level')).toMatchObject({ value: '0.5', quality: 'disconnected' });
    expect(rig.task('Drive').error).toMatchObject({ code: 'tx_failed' });
    answer(rig, state, null, 900 * ms);
    expect(rig.signal('state').quality).toBe('disconnected');
    answer(rig, inputs, [7, 0, 0, 0, 0], 1000 * ms);
    expect(rig.signal('level')).toMatchObject({ value: '0.7', quality: 'good' });
  });

  it(rule('validity resource', 'is judged anew when only that is read'), () => {
    const rig = start();
    answer(rig, state, [3], 10 * ms);
    expect(rig.signal('state')).toMatchObject({ value: '9', quality: 'invalid' });
    answer(rig, stateOk, [1], 20 * ms);
    expect(rig.signal('state')).toMatchObject({
      value: '3',
      quality: 'good',
      observed_us: 10 * ms,
    });
    answer(rig, stateOk, [0], 30 * ms);
    answer(rig, state, [4], 40 * ms);
    expect(rig.signal('state')).toMatchObject({ value: '3', quality: 'invalid' });
    rig.disconnect('pump');
    answer(rig, state, [5], 50 * ms);
    expect(rig.signal('state')).toMatchObject({ value: '3', quality: 'invalid' });
    rig.runUntil(350 * ms);
    expect(rig.signal('state').quality).toBe('timeout');
    answer(rig, stateOk, [1], 360 * ms);
    expect(rig.signal('state').quality).toBe('timeout');
  });

  it(rule('poll coalesced', 'counts answers that no round has seen'), () => {
    const rig = start();
    rig.poll(inputs, [1, 0, 0, 0, 0], 10 * ms);
    rig.poll(state, [1], 10 * ms);
    rig.poll(inputs, [2, 0, 0, 0, 0], 11 * ms);
    rig.poll(inputs, null, 12 * ms);
    rig.poll(inputs, [3, 0, 0, 0, 0], 13 * ms);
    rig.run(14 * ms);
    answer(rig, inputs, [4, 0, 0, 0, 0], 20 * ms);
    expect(rig.instance).toMatchObject({ poll_coalesced: 2, poll_missed: 0 });
    expect(rig.signal('level').value).toBe('0.4');
  });

  it(rule('poll coalesced', 'makes nothing of an answer that was replaced'), () => {
    const rig = start();
    rig.poll(inputs, [5, 0, 0, 0, 1], 10 * ms);
    rig.poll(inputs, [0x8000, 0, 0, 0, 2], 11 * ms);
    rig.run(12 * ms);
    expect(rig.signal('level')).toMatchObject({ value: null, quality: 'invalid' });
    expect(rig.signal('energy')).toMatchObject({ value: '2', observed_us: 11 * ms });
    rig.poll(inputs, [6, 0, 0, 0, 3], 20 * ms);
    rig.disconnect('pump');
    rig.poll(inputs, [0x8000, 0, 0, 0, 4], 21 * ms);
    rig.run(22 * ms);
    // The connection was lost in between: the earlier response was accepted.
    expect(rig.signal('level')).toMatchObject({ value: '0.6', quality: 'invalid' });
    expect(rig.instance.poll_coalesced).toBe(2);
  });

  it(rule('validity resource', 'is not told by it alone what it is after a loss'), () => {
    const rig = start();
    answer(rig, state, [3], 10 * ms);
    rig.disconnect('pump');
    answer(rig, stateOk, [1], 20 * ms);
    expect(rig.signal('state')).toMatchObject({ value: '9', quality: 'disconnected' });
    answer(rig, state, [4], 30 * ms);
    expect(rig.signal('state')).toMatchObject({ value: '4', quality: 'good' });
  });

  it('is forgotten by the next start', () => {
    const rig = start();
    answer(rig, stateOk, [1], 10 * ms);
    answer(rig, state, [3], 10 * ms);
    rig.stop();
    rig.release();
    rig.start(50 * ms);
    expect(rig.signal('state')).toMatchObject({ value: '9', quality: 'initial' });
    answer(rig, state, [4], 60 * ms);
    expect(rig.signal('state').quality).toBe('invalid');
  });
});
