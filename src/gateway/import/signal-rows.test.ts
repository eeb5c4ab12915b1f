import { describe, expect, it } from 'vitest';
import type { LinearCodec } from '../project/tables/codecs.ts';
import { importText, messageText, refusalOf } from './testing/import-text.ts';

/** The rows of one sent signal, given by its line in the file and additional lines. */
const sent = (line: string, more = '') => {
  const { project } = importText(messageText(` SG_ S : ${line} "" B\n`, { more }), {
    direction: 'tx',
  });
  const [signal] = project.signals;
  const codec = project.codecs[0] as LinearCodec;
  return { type: signal?.type, initial: signal?.initial, min: codec.raw_min, max: codec.raw_max };
};

const typeIn = (line: string, more = ''): string | undefined => sent(line, more).type;
const startsWith = (raw: string): string => `BA_ "GenSigStartValue" SG_ 100 S ${raw};\n`;
const float32 = 'SIG_VALTYPE_ 100 S : 1;\n';
const float64 = 'SIG_VALTYPE_ 100 S : 2;\n';

describe('the type of an imported signal', () => {
  it.each([
    ['0|1@1+ (1,0) [0|0]', 'bool'],
    ['0|1@1- (1,0) [0|0]', 'int64'],
    ['0|1@1+ (2,0) [0|0]', 'uint64'],
    ['0|8@1+ (1,-1) [0|0]', 'int64'],
    ['0|8@1+ (-1,255) [0|0]', 'uint64'],
    ['0|8@1+ (-1,254) [0|0]', 'int64'],
    ['0|8@1- (1,128) [0|0]', 'uint64'],
    ['0|8@1+ (0.5,0) [0|0]', 'float64'],
    ['0|8@1+ (1,0.5) [0|0]', 'float64'],
    ['0|8@1+ (1.0,-0.0) [0|0]', 'uint64'],
    ['0|64@1+ (1,0) [0|0]', 'uint64'],
    ['0|64@1- (1,0) [0|0]', 'int64'],
    ['0|64@1+ (1,1) [0|0]', 'float64'],
    ['0|64@1+ (1,-1) [0|0]', 'float64'],
    ['0|63@1+ (1,-1) [0|0]', 'int64'],
    ['0|32@1+ (4294967296,0) [0|0]', 'uint64'],
    ['0|33@1+ (4294967296,0) [0|0]', 'float64'],
  ])('of %s is %s', (line, type) => {
    expect(typeIn(line)).toBe(type);
  });

  it('is float64 for floats, whole or not', () => {
    expect(typeIn('0|32@1- (1,0) [0|0]', float32)).toBe('float64');
    expect(typeIn('0|64@1- (1,0) [0|0]', float64)).toBe('float64');
  });

  it('is none where whole numbers would be wrong', () => {
    const refusal = refusalOf(() => typeIn('0|8@1+ (9007199254740993,0) [0|0]'));
    expect(refusal.message).toContain('Signal S of M has a factor or an offset that no double');
    expect(typeIn('0|8@1+ (9007199254740994,0) [0|0]')).toBe('uint64');
  });

  it('has the doubles nearest to factor and offset', () => {
    const line = ' SG_ S : 0|8@1+ (0.10000000000000000001,1E-002) [0|0] "" B\n';
    expect(importText(messageText(line)).project.codecs[0]).toMatchObject({
      factor: 0.1,
      offset: 0.01,
    });
  });
});

describe('the raws that an imported signal may be sent with', () => {
  it.each([
    ['without limits', '0|8@1+ (1,0) [0|0]', undefined, undefined],
    ['with limits that are no range', '0|8@1+ (1,0) [5|5]', undefined, undefined],
    ['with reversed limits', '0|8@1+ (1,0) [100|0]', undefined, undefined],
    ['with those of its bits', '0|8@1- (1,0) [-128|127]', undefined, undefined],
    ['with wider ones', '0|8@1+ (1,0) [-10|1000]', undefined, undefined],
    ['with limits that no raw is within', '0|8@1+ (1,0) [300|400]', undefined, undefined],
    ['with narrower ones', '0|8@1+ (1,0) [2|100]', '2', '100'],
    ['with an offset', '0|8@1+ (1,-40) [-30|85]', '10', '125'],
    ['with a factor below 0', '0|8@1+ (-1,100) [0|90]', '10', '100'],
    ['with limits between raws', '0|8@1+ (3,0) [1|101]', '1', '33'],
    ['with limits between raws and a factor below 0', '0|8@1- (-3,0) [-101|-1]', '1', '33'],
    ['with a maximum rounded down', '0|8@1+ (0.39215686275,0) [0|100]', undefined, undefined],
    ['with a maximum rounded to its places', '0|16@1+ (0.0123,0) [0|806.08]', undefined, undefined],
    ['with a maximum of more places', '0|16@1+ (0.0123,0) [0|806.0800]', undefined, '65534'],
    ['of 64 bits', '0|64@1+ (1,0) [1|18446744073709551614]', '1', '18446744073709551614'],
  ])('%s', (_, line, min, max) => {
    expect(sent(line)).toMatchObject({ min, max });
  });

  it('are floats near the limits for floats', () => {
    expect(sent('0|32@1- (1,0) [-1|0.1]', float32)).toMatchObject({
      min: '-1',
      max: '0.10000000149011612',
    });
    expect(sent('0|64@1- (0.5,0) [0|0.1]', float64)).toMatchObject({ min: '0', max: '0.2' });
    expect(sent('0|32@1- (1,0) [-1E+300|1E+300]', float32)).toMatchObject({
      min: undefined,
      max: undefined,
    });
  });

  it('have no limits where the signal is received', () => {
    const { project } = importText(messageText(' SG_ S : 0|8@1+ (1,0) [2|100] "" B\n'));
    expect(Object.keys(project.codecs[0] ?? {})).not.toContain('raw_min');
    expect(project.signals[0]).not.toHaveProperty('initial');
  });
});

describe('what an imported signal begins with', () => {
  it.each([
    ['0|8@1+ (1,0) [0|0]', '0'],
    ['0|8@1+ (1,-40) [0|0]', '0'],
    ['0|8@1+ (1,10) [0|0]', '10'],
    ['0|8@1+ (1,0) [5|9]', '5'],
    ['0|8@1- (0.5,0) [-9|-5]', '-5'],
    ['0|8@1+ (0.3,0.1) [0|0]', '0.1'],
  ])('is the value nearest to 0 for %s', (line, initial) => {
    expect(sent(line).initial).toBe(initial);
  });

  it('is that of the last float where all of them are far from 0', () => {
    expect(sent('0|32@1- (0.01,3.4E+038) [0|0]', float32).initial).toBe(
      '336597176533614700000000000000000000000',
    );
  });

  it('is the value of the raw that the file says', () => {
    expect(sent('0|8@1+ (0.1,-40) [0|0]', startsWith('3')).initial).toBe('-39.7');
    expect(sent('0|8@1- (1,0) [0|0]', startsWith('-1')).initial).toBe('-1');
    expect(sent('0|8@1- (1,0) [0|0]', startsWith('255')).initial).toBe('-1');
    expect(sent('0|64@1+ (1,0) [0|0]', startsWith('18446744073709551615')).initial).toBe(
      '18446744073709551615',
    );
    expect(sent('0|32@1- (2,1) [0|0]', float32 + startsWith('0.1')).initial).toBe('1.2');
    expect(sent('0|32@1- (1,0) [0|0]', float32 + startsWith('16777217')).initial).toBe('16777216');
  });

  it('widens limits that exclude it', () => {
    expect(sent('0|8@1+ (1,0) [10|250]', startsWith('254'))).toEqual({
      type: 'uint64',
      initial: '254',
      min: '10',
      max: '254',
    });
    expect(sent('0|32@1- (1,0) [0|1]', float32 + startsWith('-2'))).toMatchObject({
      initial: '-2',
      min: '-2',
      max: '1',
    });
  });

  it.each([
    ['0|8@1+ (1,0) [0|0]', startsWith('256')],
    ['0|8@1+ (1,0) [0|0]', startsWith('1.5')],
    ['0|32@1- (1,0) [0|0]', float32 + startsWith('1E+039')],
  ])('is refused where the bits cannot hold it: %s %s', (line, more) => {
    const refusal = refusalOf(() => sent(line, more));
    expect(refusal.code).toBe('invalid_database');
    expect(refusal.message).toContain('Signal S of M has the start value');
  });
});

describe('the labels of an imported signal', () => {
  const labelled = (line: string, values: string) =>
    importText(messageText(` SG_ S : ${line} "" B\n`, { more: `VAL_ 100 S ${values} ;\n` }));
  const labelsIn = (line: string, values: string) =>
    labelled(line, values).project.signals[0]?.labels?.map(({ value, label }) => value + label);

  it('are those of its values, and make none of them invalid', () => {
    const { project } = labelled('0|8@1+ (2,-10) [0|0]', '0 "off" 255 "invalid"');
    expect(project.signals[0]?.labels).toEqual([
      { value: '-10', label: 'off' },
      { value: '500', label: 'invalid' },
    ]);
    expect(Object.keys(project.codecs[0] ?? {})).not.toContain('special');
  });

  it('leave out raws that its bits do not hold', () => {
    expect(labelsIn('0|1@1+ (1,0) [0|0]', '0 "a" 1 "b" 2 "c"')).toEqual(['0a', '1b']);
    expect(labelsIn('0|1@1+ (1,0) [0|0]', '7 "c"')).toBeUndefined();
  });

  it('count once for each value, as it is written last', () => {
    expect(labelsIn('0|8@1- (1,0) [0|0]', '255 "meant" 1 "first" 1 "later"')).toEqual([
      '-1meant',
      '1later',
    ]);
    expect(labelsIn('0|8@1- (1,0) [0|0]', '-1 "written" 255 "meant"')).toEqual(['-1written']);
  });

  it('are left out where the value is not whole, and that is said', () => {
    const { project, omitted } = labelled('0|8@1+ (0.5,0) [0|0]', '2 "one" 3 "more"');
    expect(project.signals[0]?.labels).toEqual([{ value: '1', label: 'one' }]);
    expect(omitted).toEqual([
      {
        message: 'M',
        signal: 'S',
        part: 'labels',
        reason: 'lost 1 labels: their values are not integers',
      },
    ]);
  });
});
