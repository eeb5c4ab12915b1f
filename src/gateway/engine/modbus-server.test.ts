import { describe, expect, it } from 'vitest';
import { EngineRig } from './testing/engine-rig.ts';
import { plantProject } from './testing/plant-project.ts';
import { rule } from './testing/rules.ts';

const ms = 1000;

const start = (): EngineRig => new EngineRig(plantProject()).start();

describe('a server', () => {
  it(rule('begins anew', 'has what signals are at first'), () => {
    const rig = start();
    expect(rig.read('panel', 'input', 0, 2)).toEqual([0x8000, 0b10_0000]);
    expect(rig.read('panel', 'discrete', 0)).toEqual([0]);
    expect(rig.read('panel', 'holding', 10, 7)).toEqual([50, 0, 0, 0, 0, 0, 0]);
    rig.write('panel', 'holding', 10, 60);
    rig.run(1 * ms);
    rig.stop();
    rig.release();
    rig.start(10 * ms);
    expect(rig.read('panel', 'holding', 10)).toEqual([50]);
    expect(rig.signal('setpoint')).toMatchObject({ value: '50', quality: 'initial' });
  });

  it(rule('begins anew', 'keeps nothing that it served before'), () => {
    const project = plantProject();
    // Without a raw for what is invalid, the last one stands in for it.
    for (const codec of project.codecs) delete codec.invalid_raw;
    const rig = new EngineRig(project).start();
    rig.poll('pump input 0+5 every 100', [123, 0, 0, 0, 0]);
    rig.run(1 * ms);
    rig.disconnect('pump');
    rig.run(2 * ms);
    expect(rig.read('panel', 'input', 0)).toEqual([123]);
    rig.stop();
    rig.release();
    rig.start(10 * ms);
    expect(rig.read('panel', 'input', 0)).toEqual([0]);
    expect(rig.signal('level').bindings).toEqual([
      { id: 'level.s.level', raw: '0', valid: false, error: null },
    ]);
  });

  it('shows what is set while nothing runs, and serves it from the start on', () => {
    const rig = start();
    rig.stop();
    rig.release();
    rig.set('run', '1');
    const served = { id: 'run.s.run', raw: '1', valid: true, error: null };
    expect(rig.signal('run').bindings).toContainEqual(served);
    rig.start(10 * ms);
    expect(rig.read('panel', 'input', 1)).toEqual([0b11_0000]);
  });

  it('serves what is set between its preparation and its start', () => {
    const rig = new EngineRig(plantProject());
    rig.prepare();
    rig.set('run', '1');
    rig.begin(10 * ms);
    expect(rig.read('panel', 'input', 1)).toEqual([0b11_0000]);
  });

  it(rule('served', 'shows what signals are after each round'), () => {
    const rig = start();
    rig.poll('pump input 0+5 every 100', [123, 0, 0, 0, 0]);
    expect(rig.read('panel', 'input', 0)).toEqual([0x8000]);
    rig.run(1 * ms);
    expect(rig.read('panel', 'input', 0)).toEqual([123]);
    expect(rig.read('panel', 'discrete', 0)).toEqual([1]);
    rig.disconnect('pump');
    rig.run(2 * ms);
    expect(rig.read('panel', 'input', 0)).toEqual([0x8000]);
    expect(rig.read('panel', 'discrete', 0)).toEqual([0]);
    expect(rig.write('panel', 'holding', 0, 1)).toBe(2);
  });

  it(rule('bits of a server', 'has bits of one word, each by itself'), () => {
    const rig = start();
    rig.set('run', '1');
    rig.run(1 * ms);
    expect(rig.read('panel', 'input', 1)).toEqual([0b11_0000]);
    rig.set('reverse', '0');
    rig.run(2 * ms);
    expect(rig.read('panel', 'input', 1)).toEqual([0b01_0000]);
    expect(rig.write('panel', 'holding', 16, 0x8001)).toBe(0);
    rig.run(3 * ms);
    expect([rig.signal('lamp').value, rig.signal('horn').value]).toEqual(['1', '1']);
  });

  it(rule('external writes', 'takes all of a request in one round'), () => {
    const rig = start();
    rig.nowUs = 5 * ms;
    expect(rig.write('panel', 'holding', 10, 7, 0xfffe, 0xffff, 0xffff, 0xffff)).toBe(0);
    expect(rig.signal('setpoint').value).toBe('50');
    rig.run(6 * ms);
    expect(rig.signal('setpoint')).toMatchObject({
      value: '7',
      quality: 'good',
      observed_us: 5 * ms,
      bindings: [{ id: 'setpoint.e.setpoint', raw: '7', valid: true, error: null }],
    });
    expect(rig.signal('total').value).toBe('-2');
  });

  it(rule('judged whole', 'refuses what is out of range or in part, and changes nothing'), () => {
    const rig = start();
    expect(rig.write('panel', 'holding', 10, 101)).toBe(3);
    expect(rig.write('panel', 'holding', 10, 1, 2)).toBe(3);
    expect(rig.write('panel', 'holding', 11, 1)).toBe(3);
    expect(rig.read('panel', 'holding', 10, 2)).toEqual([50, 0]);
    rig.run(1 * ms);
    expect(rig.signal('setpoint')).toMatchObject({ value: '50', quality: 'initial' });
  });

  it(rule('undeclared items', 'refuses what is not there'), () => {
    const rig = start();
    expect(rig.write('panel', 'holding', 9, 1)).toBe(2);
    expect(rig.write('panel', 'holding', 16, 1, 1)).toBe(2);
    expect(rig.write('panel', 'coil', 0, 1)).toBe(2);
  });

  it(rule('special raws of clients', 'takes them as an invalid state'), () => {
    const rig = start();
    rig.write('panel', 'holding', 10, 20);
    rig.run(1 * ms);
    expect(rig.write('panel', 'holding', 10, 255)).toBe(0);
    rig.run(2 * ms);
    expect(rig.signal('setpoint')).toMatchObject({
      value: '20',
      valid: false,
      quality: 'not_available',
      bindings: [{ raw: '255', valid: false }],
    });
  });

  it('judges a value anew when only its validity is written', () => {
    const rig = start();
    rig.write('panel', 'holding', 15, 3);
    rig.run(1 * ms);
    expect(rig.signal('mode')).toMatchObject({ value: null, quality: 'invalid' });
    rig.nowUs = 2 * ms;
    rig.write('panel', 'coil', 7, 1);
    rig.run();
    expect(rig.signal('mode')).toMatchObject({ value: '3', quality: 'good', observed_us: 0 });
    rig.runUntil(500 * ms);
    expect(rig.signal('mode')).toMatchObject({
      quality: 'timeout',
      bindings: [{ raw: '3', valid: false }],
    });
  });

  it('counts what clients replace before a round has seen it', () => {
    const rig = start();
    rig.write('panel', 'holding', 10, 1);
    rig.write('panel', 'holding', 10, 2, 0, 0, 0, 0);
    rig.run(1 * ms);
    expect(rig.instance.poll_coalesced).toBe(1);
    expect(rig.signal('setpoint').value).toBe('2');
  });
});
