import { describe, expect, it } from 'vitest';
import { EngineRig } from './testing/engine-rig.ts';
import { checking, relayProject, together } from './testing/relay-project.ts';
import { rule } from './testing/rules.ts';

const ms = 1000;

describe('a received frame', () => {
  it(
    rule('no remote frames', 'counts as rejected if it is a remote frame, and updates nothing'),
    () => {
      const rig = new EngineRig(relayProject()).start();
      rig.observe('Engine', '05 00', 1 * ms);
      rig.observe('Engine', null, 2 * ms);
      expect(rig.signal('speed')).toMatchObject({ value: '5', observed_us: 1 * ms });
      expect(rig.instance.rejected_frames).toEqual({ remote: 1, short: 0, e2e: 0 });
    },
  );

  it(
    rule('no short frames', 'counts as rejected if it is short, and refreshes no time-out'),
    () => {
      const rig = new EngineRig(relayProject()).start();
      rig.observe('Engine', '05 00', 0);
      rig.observe('Engine', '06', 299 * ms);
      expect(rig.signal('speed')).toMatchObject({ value: '5', valid: true });
      rig.runUntil(300 * ms);
      expect(rig.signal('speed')).toMatchObject({ value: '5', quality: 'timeout' });
      expect(rig.instance.rejected_frames).toEqual({ remote: 0, short: 1, e2e: 0 });
    },
  );

  it('may be longer than its message says', () => {
    const rig = new EngineRig(relayProject()).start();
    rig.observe('Engine', '05 00 ff ff', 1 * ms);
    expect(rig.signal('speed')).toMatchObject({ value: '5', valid: true, observed_us: 1 * ms });
  });

  it('gives way to a later one of the same round', () => {
    const rig = new EngineRig(relayProject()).start();
    rig.receive('Engine', '05 00', 1 * ms);
    rig.receive('Engine', '06 00', 2 * ms);
    rig.run(3 * ms);
    expect(rig.signal('shown')).toMatchObject({ value: '6', observed_us: 2 * ms });
  });

  it(rule('special raw values', 'is looked up among the special raws before it is scaled'), () => {
    const rig = new EngineRig(
      relayProject({
        signals: [
          { id: 'speed', type: 'float64' },
          { id: 'shown', type: 'float64' },
        ],
        codecs: [
          {
            id: 'scaled',
            kind: 'linear',
            raw: 'unsigned',
            bit_length: 8,
            byte_order: 'intel',
            factor: 0.5,
            offset: -40,
            // The physical value of 254 would be 87, which has its own raw value.
            special: [
              { raw: '254', state: 'error' },
              { raw: '255', state: 'not_available' },
            ],
            invalid_raw: '253',
            raw_max: '250',
          },
        ],
        bindings: [{ id: 'speed.rx', codec: 'scaled' }],
      }),
    ).start();
    const seen = (hex: string) => {
      rig.observe('Engine', `${hex} 00`, rig.nowUs + 1);
      const { value, quality, valid } = rig.signal('speed');
      return [value, quality, valid];
    };
    expect(seen('57')).toEqual(['3.5', 'good', true]);
    expect(seen('fe')).toEqual(['3.5', 'error', false]);
    expect(seen('ff')).toEqual(['3.5', 'not_available', false]);
    expect(seen('fd')).toEqual(['3.5', 'invalid', false]);
    expect(seen('fb')).toEqual(['3.5', 'error', false]);
    expect(seen('00')).toEqual(['-40', 'good', true]);
  });

  it(
    rule(
      'validity bit',
      'is invalid if its validity bit says so, and its time counts all the same',
    ),
    () => {
      const rig = new EngineRig(
        relayProject({ bindings: [{ id: 'speed.rx', validity_bit: 8 }] }),
      ).start();
      rig.observe('Engine', '05 01', 1 * ms);
      expect(rig.signal('speed')).toMatchObject({ value: '5', quality: 'good' });
      rig.observe('Engine', '06 00', 2 * ms);
      expect(rig.signal('speed')).toMatchObject({
        value: '5',
        quality: 'invalid',
        observed_us: 2 * ms,
      });
      expect(rig.signal('shown')).toMatchObject({ value: '5', quality: 'input_invalid' });
    },
  );

  it('observes the bindings of its page alone, whose time-outs are their own', () => {
    const rig = new EngineRig(
      relayProject({
        signals: [
          { id: 'page', type: 'uint64', producer: 'input' },
          { id: 'other', type: 'uint64', producer: 'input' },
        ],
        bindings: [
          {
            id: 'page.rx',
            signal: 'page',
            direction: 'rx',
            message: 'Engine',
            codec: 'u8',
            start_bit: 8,
          },
          { id: 'speed.rx', mux: { selector: 'page.rx', values: ['1'] } },
          {
            id: 'other.rx',
            signal: 'other',
            direction: 'rx',
            message: 'Engine',
            codec: 'u8',
            start_bit: 0,
            mux: { selector: 'page.rx', values: ['2', '4-7'] },
          },
        ],
      }),
    ).start();
    rig.observe('Engine', '05 01', 0);
    rig.observe('Engine', '06 05', 200 * ms);
    rig.observe('Engine', '07 03', 250 * ms);
    expect(rig.signal('speed')).toMatchObject({ value: '5', observed_us: 0 });
    expect(rig.signal('other')).toMatchObject({ value: '6', observed_us: 200 * ms });
    expect(rig.signal('page')).toMatchObject({ value: '3' });
    rig.runUntil(300 * ms);
    expect(rig.signal('speed').quality).toBe('timeout');
    expect(rig.signal('other').quality).toBe('good');
  });

  it('observes what a selector selects only if that selector was there itself', () => {
    const rx = (signal: string, startBit: number, mux?: object) => ({
      id: `${signal}.rx`,
      signal,
      direction: 'rx',
      message: 'Engine',
      codec: 'u8',
      start_bit: startBit,
      ...(mux && { mux }),
    });
    const rig = new EngineRig(
      relayProject({
        signals: ['page', 'line', 'cell'].map((id) => ({ id, type: 'uint64', producer: 'input' })),
        messages: [{ id: 'Engine', length: 4 }],
        bindings: [
          rx('page', 8),
          rx('line', 16, { selector: 'page.rx', values: ['1'] }),
          rx('cell', 24, { selector: 'line.rx', values: ['2'] }),
        ],
      }),
    ).start();
    rig.observe('Engine', '00 01 02 0a', 1 * ms);
    expect(rig.signal('cell')).toMatchObject({ value: '10', observed_us: 1 * ms });
    // The bits of the other signal still exist, but have another meaning on this page.
    rig.observe('Engine', '00 05 02 0b', 2 * ms);
    expect(rig.signal('cell')).toMatchObject({ value: '10', observed_us: 1 * ms });
    expect(rig.signal('line')).toMatchObject({ value: '2', observed_us: 1 * ms });
  });
});

describe('an input', () => {
  it('shows its initial value as not valid until it is observed', () => {
    const rig = new EngineRig(relayProject({ signals: [{ id: 'speed', initial: '7' }] })).start();
    rig.runUntil(1000 * ms);
    expect(rig.signal('speed')).toMatchObject({
      value: '7',
      valid: false,
      quality: 'initial',
      observed_us: null,
    });
  });

  it(
    rule(
      'input time-out',
      'times out exactly when its time is over, and is back with the next frame',
    ),
    () => {
      const rig = new EngineRig(relayProject()).start();
      rig.observe('Engine', '05 00', 10 * ms);
      rig.runUntil(310 * ms - 1);
      expect(rig.signal('speed')).toMatchObject({ value: '5', valid: true });
      rig.runUntil(310 * ms);
      expect(rig.signal('speed')).toMatchObject({
        value: '5',
        valid: false,
        quality: 'timeout',
        observed_us: 10 * ms,
      });
      expect(rig.signal('shown')).toMatchObject({ value: '5', quality: 'input_invalid' });
      rig.observe('Engine', '05 00', 400 * ms);
      expect(rig.signal('shown')).toMatchObject({ value: '5', valid: true });
    },
  );

  it(rule('input disconnect', 'is disconnected with its endpoint, and with no other'), () => {
    const rig = new EngineRig(relayProject()).start();
    rig.observe('Engine', '05 00', 1 * ms);
    rig.disconnect('out');
    rig.run();
    expect(rig.signal('speed').quality).toBe('good');
    rig.disconnect('in');
    rig.run();
    expect(rig.signal('speed')).toMatchObject({ value: '5', quality: 'disconnected' });
    expect(rig.signal('shown').quality).toBe('input_invalid');
    rig.runUntil(400 * ms);
    expect(rig.signal('speed').quality).toBe('disconnected');
    rig.observe('Engine', '06 00');
    expect(rig.signal('shown')).toMatchObject({ value: '6', quality: 'good' });
    // From then on it times out like any other.
    rig.runUntil(700 * ms);
    expect(rig.signal('speed').quality).toBe('timeout');
  });

  it('is disconnected also if it was never observed', () => {
    const rig = new EngineRig(relayProject()).start();
    rig.disconnect('in');
    expect(rig.signal('speed')).toMatchObject({ value: null, quality: 'disconnected' });
  });
});

describe('a checked message', () => {
  const checked = () => new EngineRig(relayProject(checking)).start();

  it(
    rule(
      'check rejects',
      'updates nothing with a frame that fails, and is not believed until a good one comes',
    ),
    () => {
      const rig = checked();
      rig.observe('Engine', '05 00 05', 1 * ms);
      expect(rig.signal('speed')).toMatchObject({ value: '5', quality: 'good' });
      rig.observe('Engine', '06 01 ff', 2 * ms);
      expect(rig.signal('speed')).toMatchObject({
        value: '5',
        quality: 'e2e_error',
        observed_us: 1 * ms,
      });
      expect(rig.instance.rejected_frames.e2e).toBe(1);
      rig.observe('Engine', '06 01 07', 3 * ms);
      expect(rig.signal('speed')).toMatchObject({ value: '6', quality: 'good' });
    },
  );

  it(
    rule('check fails', 'is an error while bad frames arrive, and times out when they end'),
    () => {
      const rig = checked();
      rig.observe('Engine', '05 00 05', 0);
      for (let at = 20; at <= 1000; at += 20) {
        rig.observe('Engine', '06 01 ff', at * ms);
        expect(rig.signal('speed')).toMatchObject({ value: '5', quality: 'e2e_error' });
      }
      expect(rig.instance.failed_checks).toBe(1);
      rig.runUntil(1299 * ms);
      expect([rig.signal('speed').quality, rig.instance.failed_checks]).toEqual(['e2e_error', 1]);
      rig.runUntil(1300 * ms);
      expect([rig.signal('speed').quality, rig.instance.failed_checks]).toEqual(['timeout', 0]);
      rig.observe('Engine', '06 01 ff', 1400 * ms);
      expect([rig.signal('speed').quality, rig.instance.failed_checks]).toEqual(['e2e_error', 1]);
      rig.observe('Engine', '06 01 07', 1420 * ms);
      expect([rig.signal('speed').quality, rig.instance.failed_checks]).toEqual(['good', 0]);
      rig.runUntil(1720 * ms);
      expect([rig.signal('speed').quality, rig.instance.failed_checks]).toEqual(['timeout', 0]);
    },
  );

  it(rule('check fails', 'is an error for ever where nothing times out'), () => {
    const never = together(checking, { messages: [{ id: 'Engine', stale_after_ms: 0 }] });
    const rig = new EngineRig(relayProject(never)).start();
    rig.observe('Engine', '05 00 05', 0);
    rig.observe('Engine', '06 01 ff', 1 * ms);
    rig.runUntil(10_000 * ms);
    expect([rig.signal('speed').quality, rig.instance.failed_checks]).toEqual(['e2e_error', 1]);
  });

  it(rule('check fails', 'is an error after a loss too, until a good frame comes'), () => {
    const rig = checked();
    rig.observe('Engine', '05 00 05', 0);
    rig.observe('Engine', '06 01 ff', 1 * ms);
    rig.disconnect('in');
    expect([rig.signal('speed').quality, rig.instance.failed_checks]).toEqual(['disconnected', 0]);
    rig.reconnect('in');
    rig.observe('Engine', '06 01 ff', 2 * ms);
    expect([rig.signal('speed').quality, rig.instance.failed_checks]).toEqual(['e2e_error', 1]);
    rig.observe('Engine', '06 01 07', 3 * ms);
    expect([rig.signal('speed').quality, rig.instance.failed_checks]).toEqual(['good', 0]);
  });

  it(rule('failed checks', 'fails no more once the instance is stopped'), () => {
    const rig = checked();
    rig.observe('Engine', '06 01 ff', 1 * ms);
    expect(rig.instance.failed_checks).toBe(1);
    rig.stop();
    expect(rig.instance.failed_checks).toBe(0);
    rig.start(10 * ms);
    expect([rig.signal('speed').quality, rig.instance.failed_checks]).toEqual(['initial', 0]);
  });

  it('takes no repeated frame, and is an error once such frames are all that comes', () => {
    const rig = checked();
    rig.observe('Engine', '05 00 05', 0);
    rig.observe('Engine', '05 00 05', 200 * ms);
    expect(rig.signal('speed')).toMatchObject({ quality: 'good', observed_us: 0 });
    expect(rig.instance).toMatchObject({ rejected_frames: { e2e: 1 }, failed_checks: 0 });
    rig.runUntil(300 * ms);
    expect([rig.signal('speed').quality, rig.instance.failed_checks]).toEqual(['e2e_error', 1]);
    rig.runUntil(500 * ms);
    expect([rig.signal('speed').quality, rig.instance.failed_checks]).toEqual(['timeout', 0]);
  });

  it('is an error while all that has come has failed', () => {
    const rig = checked();
    rig.observe('Engine', '05 00 ff', 1 * ms);
    expect(rig.signal('speed')).toMatchObject({ value: null, quality: 'e2e_error' });
    rig.runUntil(301 * ms);
    expect(rig.signal('speed')).toMatchObject({ value: null, quality: 'timeout' });
  });

  it('begins anew with each start', () => {
    const rig = checked();
    rig.observe('Engine', '05 09 0c', 1 * ms);
    rig.stop();
    rig.start(10 * ms);
    expect(rig.signal('speed').quality).toBe('initial');
    rig.observe('Engine', '05 03 06', 11 * ms);
    expect(rig.signal('speed').quality).toBe('good');
  });

  it('is believed again on all of its pages once a frame of any page is good', () => {
    const rx = (signal: string, startBit: number, values?: string[]) => ({
      id: `${signal}.rx`,
      signal,
      direction: 'rx',
      message: 'Engine',
      codec: 'u8',
      start_bit: startBit,
      ...(values && { mux: { selector: 'page.rx', values } }),
    });
    const rig = new EngineRig(
      relayProject(
        together(checking, {
          signals: ['page', 'other'].map((id) => ({ id, type: 'uint64', producer: 'input' })),
          messages: [{ id: 'Engine', length: 4 }],
          bindings: [rx('page', 24), rx('speed', 0, ['1']), rx('other', 0, ['2'])],
        }),
      ),
    ).start();
    rig.observe('Engine', '05 00 04 01', 1 * ms);
    rig.observe('Engine', '06 01 ff 02', 2 * ms);
    expect([rig.signal('speed').quality, rig.signal('other').quality]).toEqual([
      'e2e_error',
      'e2e_error',
    ]);
    rig.observe('Engine', '06 01 05 02', 3 * ms);
    expect(rig.signal('speed')).toMatchObject({ value: '5', quality: 'good', observed_us: 1 * ms });
    expect(rig.signal('other')).toMatchObject({ value: '6', quality: 'good' });
  });

  it('is believed only after as many good frames as its window asks for', () => {
    const rig = new EngineRig(
      relayProject(
        together(checking, {
          codecs: [{ id: 'guard', window: { size: 3, min_ok: 2, max_error: 1 } }],
        }),
      ),
    ).start();
    rig.observe('Engine', '05 00 05', 1 * ms);
    expect(rig.signal('speed')).toMatchObject({
      value: '5',
      quality: 'e2e_error',
      observed_us: 1 * ms,
    });
    rig.observe('Engine', '06 01 07', 2 * ms);
    expect(rig.signal('speed')).toMatchObject({ value: '6', quality: 'good' });
    rig.observe('Engine', '06 02 00', 3 * ms);
    expect(rig.signal('speed').quality).toBe('good');
    rig.observe('Engine', '06 03 00', 4 * ms);
    expect(rig.signal('speed').quality).toBe('e2e_error');
  });
});
