import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EngineRig } from '../engine/testing/engine-rig.ts';
import { buildLibrary, exampleSource, examples, hasCompiler } from './testing/build-plugins.ts';
import { loadPlugins, type TestPlugin } from './testing/load-plugins.ts';
import { pluginProject } from './testing/plugin-project.ts';

const ms = 1000;

describe.skipIf(!hasCompiler)('the example plugins in an engine', () => {
  let folder: string;
  let rig: EngineRig;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-plugins-'));
    for (const name of examples) buildLibrary(exampleSource(name), join(folder, `${name}.so`));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(() => {
    const project = pluginProject();
    const plugins = project.plugins.map((row: TestPlugin) => {
      return { ...row, file: join(folder, row.library.replace('plugins/', '')) };
    });
    rig = new EngineRig(project, loadPlugins(...plugins)).start();
  });

  it('smooth an input, and begin with the first value', () => {
    for (const hex of ['40', '80', '00']) rig.observe('Temperature', hex);
    expect(rig.signal('smooth')).toMatchObject({ value: '48', quality: 'good' });
    rig.runUntil(100 * ms);
    expect(rig.sent('Smooth')).toEqual(['00', '30']);
  });

  it('decode a codec of their own, and say what is no value', () => {
    rig.observe('Dial', '3a');
    expect(rig.signal('dial')).toMatchObject({ value: '163', quality: 'good' });
    rig.observe('Dial', 'ff');
    expect(rig.signal('dial')).toMatchObject({ value: '163', quality: 'not_available' });
  });

  it('encode with it, and leave the last raw where they cannot', () => {
    rig.set('knob', '163');
    rig.run();
    rig.set('knob', '255');
    rig.run();
    expect(rig.sent('Knob')).toEqual(['00', '3a', '3a']);
    expect(rig.signal('knob')).toMatchObject({
      value: '255',
      quality: 'good',
      bindings: [{ raw: '58', valid: false, error: { code: 'native_failed' } }],
    });
  });

  it('protect frames, with a counter for those that were accepted', () => {
    rig.refusal = 'queue_full';
    rig.set('gear', '2');
    rig.run(100 * ms);
    rig.refusal = null;
    rig.run(200 * ms);
    rig.set('gear', '3');
    rig.run();
    // Low nibble: counters 0, 1 and 2; high nibble: XOR of the nibbles of gear, key 0x5A and
    // counter.
    expect(rig.sent('Gear')).toEqual(['01e0', '02c1', '03e2']);
    rig.stop();
    rig.start(300 * ms);
    expect(rig.sent('Gear').at(-1)).toBe('03f3');
  });

  it('check frames: those that fail update nothing', () => {
    rig.observe('Speed', '01e0');
    expect(rig.signal('speed')).toMatchObject({ value: '1', quality: 'good' });
    rig.observe('Speed', '02e1');
    expect(rig.signal('speed')).toMatchObject({ value: '1', quality: 'e2e_error' });
    rig.observe('Speed', '02c1');
    expect(rig.signal('speed')).toMatchObject({ value: '2', quality: 'good' });
    expect(rig.instance.rejected_frames).toMatchObject({ e2e: 1 });
  });

  it('answer each request with a frame, also the same one twice', () => {
    rig.observe('Request', '2207', 10 * ms);
    rig.observe('Request', '2207', 20 * ms);
    rig.observe('Request', '5501', 30 * ms);
    expect(rig.sent('Answer')).toEqual(['620701', '620702', '7f0103']);
    expect(rig.signal('requests')).toMatchObject({ value: '3', quality: 'good' });
    expect(rig.task('Answer')).toMatchObject({ accepted: 3, sent: 3, queued_requests: 0 });
  });

  it('begin anew at each start', () => {
    rig.observe('Request', '2207', 10 * ms);
    rig.stop();
    rig.start(20 * ms);
    expect(rig.signal('requests')).toMatchObject({ value: '0' });
  });
});
