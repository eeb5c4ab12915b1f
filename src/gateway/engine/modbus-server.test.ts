import { describe, expect, it } from 'vitest';
import type { LooseProject } from '../project/testing/coolant-project.ts';
import { EngineRig } from './testing/engine-rig.ts';
import { plantProject } from './testing/plant-project.ts';
import { rule } from './testing/rules.ts';

const ms = 1000;

const start = (): EngineRig => new EngineRig(plantProject()).start();

/** Two signals that read one resource, each with its own codec. */
const sharedProject = (initials: readonly string[], codecs: readonly string[]): LooseProject => ({
  format: 'gwproj',
  schema_version: 1,
  endpoints: [{ id: 'panel', kind: 'modbus', role: 'server', network: 'panel', node: 1 }],
  signals: ['one', 'other'].map((id, place) => {
    return { id, type: 'float64', producer: 'input', initial: initials[place] };
  }),
  codecs: [
    { id: 'u32', kind: 'linear', raw: 'unsigned', bit_length: 32, word_order: 'ABCD' },
    {
      id: 'few',
      kind: 'linear',
      raw: 'unsigned',
      bit_length: 32,
      word_order: 'ABCD',
      raw_max: '5',
    },
    { id: 'f32', kind: 'linear', raw: 'float32', word_order: 'ABCD' },
    { id: 'f8', kind: 'linear', raw: 'float32', word_order: 'ABCD', raw_max: '8' },
  ],
  modbus_resources: [
    { id: 'shared', endpoint: 'panel', table: 'holding', address: 0, count: 2, access: 'external' },
  ],
  bindings: ['one', 'other'].map((signal, place) => {
    return { id: signal, signal, direction: 'rx', resource: 'shared', codec: codecs[place] };
  }),
});

describe('a server', () => {
  it(rule('initial registers', 'has what signals are at first'), () => {
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

  it(rule('initial registers', 'keeps nothing that it served before'), () => {
    const project = plantProject();
    // Without an invalid raw value, the last one replaces it.
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

  it.each([
    // The first raw value that all bindings accept, in the order of the rows.
    {
      initials: ['1073741824', '3'],
      codecs: ['u32', 'f32'],
      registers: [0x4000, 0],
      raws: ['1073741824', '2'],
    },
    {
      initials: ['2', '1'],
      codecs: ['f32', 'u32'],
      registers: [0x4000, 0],
      raws: ['2', '1073741824'],
    },
    { initials: ['2', '3'], codecs: ['u32', 'few'], registers: [0, 2], raws: ['2', '2'] },
    { initials: ['9', '3'], codecs: ['u32', 'few'], registers: [0, 3], raws: ['3', '3'] },
    // As a float, all ones are NaN.
    {
      initials: ['4294967295', '2'],
      codecs: ['u32', 'f32'],
      registers: [0x4000, 0],
      raws: ['1073741824', '2'],
    },
    { initials: ['4294967295', '9'], codecs: ['u32', 'f8'], registers: [0, 0], raws: ['0', '0'] },
  ])(
    'shows every binding of a resource what is in its registers: $codecs of $initials',
    (given) => {
      const rig = new EngineRig(sharedProject(given.initials, given.codecs)).start();
      const raws = () => ['one', 'other'].map((id) => rig.signal(id).bindings[0]?.raw);
      expect(rig.read('panel', 'holding', 0, 2)).toEqual(given.registers);
      expect(raws()).toEqual(given.raws);
      rig.write('panel', 'holding', 0, 0, 0);
      rig.run(1 * ms);
      expect(raws()).toEqual(['0', '0']);
      rig.stop();
      rig.release();
      rig.start(10 * ms);
      expect(raws()).toEqual(given.raws);
    },
  );

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

  it(rule('bits of a server', 'keeps none of a word but those that are declared'), () => {
    const rig = start();
    expect(rig.write('panel', 'holding', 16, 0xffff)).toBe(0);
    expect(rig.read('panel', 'holding', 16)).toEqual([0x8001]);
    rig.run(1 * ms);
    expect(rig.read('panel', 'holding', 16)).toEqual([0x8001]);
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

  it(
    rule('complete writes', 'refuses what is out of range or in part, and changes nothing'),
    () => {
      const rig = start();
      expect(rig.write('panel', 'holding', 10, 101)).toBe(3);
      expect(rig.write('panel', 'holding', 10, 1, 2)).toBe(3);
      expect(rig.write('panel', 'holding', 11, 1)).toBe(3);
      expect(rig.read('panel', 'holding', 10, 2)).toEqual([50, 0]);
      rig.run(1 * ms);
      expect(rig.signal('setpoint')).toMatchObject({ value: '50', quality: 'initial' });
    },
  );

  it(rule('undeclared items', 'refuses what is not there'), () => {
    const rig = start();
    expect(rig.write('panel', 'holding', 9, 1)).toBe(2);
    expect(rig.write('panel', 'holding', 16, 1, 1)).toBe(2);
    expect(rig.write('panel', 'coil', 0, 1)).toBe(2);
  });

  it(rule('special values of clients', 'takes them as an invalid state'), () => {
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
