import { describe, expect, it } from 'vitest';
import { loadProject } from '../project/load-project.ts';
import { coolantProject, type LooseProject } from '../project/testing/coolant-project.ts';
import { readLoose } from '../project/testing/read-text.ts';
import { buildImage } from './build-image.ts';
import { ImageReader } from './image-reader.ts';
import { StateWriter } from './image-state.ts';
import { changeOfSet } from './set-signal.ts';
import { SignalSnapshot } from './signal-snapshot.ts';

const imageOf = (project: LooseProject) => {
  const draft = readLoose(project);
  expect(draft.problems.shown).toEqual([]);
  const image = buildImage(draft.toProject());
  return { image, reader: new ImageReader(image) };
};

const withSignals = (...signals: LooseProject[]): LooseProject => ({
  ...coolantProject(),
  signals: [...coolantProject().signals, ...signals],
});

describe('the image of a project', () => {
  it('has its endpoints, tasks and signals', () => {
    const { image, reader } = imageOf(coolantProject());
    expect([image.projectId, image.rows]).toEqual(['coolant', 19]);
    expect(reader.endpoint(1)).toEqual({ id: 'plc', kind: 'modbus', network: 'plc' });
    expect(reader.task(0)).toEqual({
      id: 'PumpCommand',
      kind: 'can',
      policy: 'periodic',
      mode: 'value',
      periodMs: 20,
      neverSends: false,
    });
    expect(reader.signal(0)).toEqual({
      id: 'coolant',
      type: 'float64',
      producer: 'input',
      unit: 'degC',
    });
    expect(reader.signal(2).unit).toBeNull();
  });

  it('is saved as the same text as the project', () => {
    const { image } = imageOf(coolantProject());
    expect(JSON.parse(Buffer.from(image.text).toString())).toEqual(coolantProject());
  });

  it('finds every signal by its id, and no other', () => {
    const ids = Array.from({ length: 300 }, (_, index) => `s${(index * 7919) % 300}`);
    const { reader } = imageOf(
      withSignals(...ids.map((id) => ({ id, type: 'bool', producer: 'software' }))),
    );
    for (const id of ids) {
      expect(reader.signal(reader.findSignal(id) ?? -1).id).toBe(id);
    }
    for (const id of ['', 'a', 's', 's300', 'zz']) expect(reader.findSignal(id)).toBeUndefined();
  });

  it('begins with initial values that are not valid, and their raws', () => {
    const { image, reader } = imageOf(coolantProject());
    const [coolant, fahrenheit, pump] = new SignalSnapshot(image, reader, 0, 9).entries();
    expect(coolant).toMatchObject({ value: '20', valid: false, quality: 'initial', bindings: [] });
    expect(fahrenheit).toMatchObject({
      value: null,
      bindings: [{ id: 'coolant.reg', raw: '-32768', valid: false }],
    });
    expect(pump?.bindings.map(({ id, raw }) => [id, raw])).toEqual([
      ['pump.reg', '0'],
      ['pump.tx', '0'],
    ]);
  });

  it('encodes an initial value where there is no raw for invalid ones', () => {
    const project = coolantProject();
    project.signals[2].initial = '42';
    const { image, reader } = imageOf(project);
    const { bindings } = new SignalSnapshot(image, reader, 2, 1).entry(0);
    expect(bindings.map(({ raw }) => raw)).toEqual(['42', '42']);
    project.signals[2].initial = '101';
    const beyond = imageOf(project);
    const entry = new SignalSnapshot(beyond.image, beyond.reader, 2, 1).entry(0);
    expect(entry.bindings.map(({ raw }) => raw)).toEqual(['0', '0']);
  });

  it('names values by their labels', () => {
    const { image, reader } = imageOf(
      withSignals({
        id: 'gear',
        type: 'enum',
        producer: 'software',
        initial: '3',
        labels: [
          { value: '0', label: 'Park' },
          { value: '3', label: 'Drive' },
        ],
      }),
    );
    expect(new SignalSnapshot(image, reader, 3, 1).entry(0)).toMatchObject({
      value: '3',
      label: 'Drive',
    });
    expect(reader.labelOf(3, '7')).toBeNull();
  });

  it('cuts pages at the end', () => {
    const { image, reader } = imageOf(coolantProject());
    expect(new SignalSnapshot(image, reader, 2, 5).count).toBe(1);
    expect(new SignalSnapshot(image, reader, 3, 5).count).toBe(0);
    expect([...new SignalSnapshot(image, reader, 99, 5).entries()]).toEqual([]);
  });
});

describe('setting a signal', () => {
  const settable = (type: string, initial?: string) => {
    const project = coolantProject();
    Object.assign(project.signals[2], { producer: 'software', type, initial });
    return imageOf(project);
  };

  it.each([
    ['uint64', '18446744073709551615'],
    ['int64', '-9223372036854775808'],
    ['float64', '0.1'],
    ['bool', '1'],
  ])('keeps a %s to the last digit', (type, value) => {
    const { image, reader } = settable(type);
    new StateWriter(image).apply(changeOfSet(reader, 'pump', value, 5));
    expect(new SignalSnapshot(image, reader, 2, 1).entry(0)).toMatchObject({
      value,
      valid: true,
      quality: 'good',
      observed_us: 5,
    });
  });

  it('encodes it for each binding, and leaves the last raw where that fails', () => {
    const { image, reader } = settable('uint64', '0');
    const writer = new StateWriter(image);
    const entry = () => new SignalSnapshot(image, reader, 2, 1).entry(0);
    writer.apply(changeOfSet(reader, 'pump', '55', 5));
    expect(entry().bindings).toMatchObject([
      { raw: '55', valid: true, error: null },
      { raw: '55', valid: true, error: null },
    ]);
    writer.apply(changeOfSet(reader, 'pump', '101', 6));
    expect(entry()).toMatchObject({
      value: '101',
      valid: true,
      bindings: [
        { raw: '55', valid: false, error: { code: 'out_of_range' } },
        { raw: '55', valid: false, error: { code: 'out_of_range' } },
      ],
    });
    writer.apply(changeOfSet(reader, 'pump', '7', 7));
    expect(entry().bindings[0]).toMatchObject({ raw: '7', valid: true, error: null });
  });

  it('sends whole doubles on float wires, however large', () => {
    const project = coolantProject();
    Object.assign(project.signals[2], { producer: 'software', type: 'float64' });
    const codec = { kind: 'linear', raw: 'float64', byte_order: 'intel' };
    project.codecs.push({ id: 'wide', ...codec });
    Object.assign(project.bindings[3], { codec: 'wide', start_bit: 0 });
    const { image, reader } = imageOf(project);
    new StateWriter(image).apply(changeOfSet(reader, 'pump', '1152921504606846976', 5));
    expect(new SignalSnapshot(image, reader, 2, 1).entry(0).bindings[1]).toMatchObject({
      valid: true,
      error: null,
    });
  });

  it.each([
    ['int64', '1.5'],
    ['uint64', '-1'],
    ['uint64', '18446744073709551616'],
    ['bool', '2'],
    ['float64', '1e400'],
    ['float64', 'NaN'],
    ['float64', ''],
    ['uint64', '1e2'],
    ['uint64', '+5'],
    ['uint64', '05'],
    ['uint64', '5.'],
    ['uint64', '5.0'],
    ['float64', '+5'],
    ['float64', '05.5'],
    ['float64', '5.'],
    ['float64', '.5'],
  ])('refuses %s %s', (type, value) => {
    const { reader } = settable(type);
    expect(() => changeOfSet(reader, 'pump', value, 5)).toThrow(/value must be/);
  });

  it.each(['bool', 'int64', 'uint64', 'float64', 'enum'])(
    'takes what %s has as initial',
    (type) => {
      const texts = ['0', '-0', '1', '+1', '01', '1.', '1.0', '.5', '-2.5', '1e2', '1E+2', '1e400'];
      const { reader } = settable(type);
      const isTaken = (take: () => unknown): boolean => {
        try {
          take();
          return true;
        } catch {
          return false;
        }
      };
      for (const text of texts) {
        const isSet = isTaken(() => changeOfSet(reader, 'pump', text, 5));
        const project = coolantProject();
        const labels = type === 'enum' ? [{ value: '0', label: 'Off' }] : undefined;
        const signal = { id: 'new', type, producer: 'software', initial: text, labels };
        project.signals.push(signal);
        const bytes = Buffer.from(JSON.stringify(project));
        expect([text, isSet]).toEqual([text, isTaken(() => loadProject(bytes))]);
      }
    },
  );

  it('counts changes', () => {
    const { image, reader } = settable('uint64');
    const writer = new StateWriter(image);
    const version = () => new SignalSnapshot(image, reader, 0, 1).version;
    expect(version()).toBe(0);
    for (const value of ['1', '2', '3']) writer.apply(changeOfSet(reader, 'pump', value, 5));
    expect(version()).toBe(3);
  });
});
