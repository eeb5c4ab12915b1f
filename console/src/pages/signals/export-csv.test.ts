import { describe, expect, it } from 'vitest';
import { SampleSeries } from '../../samples/sample-series.ts';
import { aSample, aSeries } from '../../samples/testing/samples.ts';
import { csvLines } from './export-csv.ts';

const choice = { channel: 'powertrain', database: 'vehicle', message: 'Engine', signal: 'Speed' };

describe('csvLines', () => {
  it('writes exact values in the order of time, and an empty unit apart from no label', () => {
    const series = aSeries(['1.10', '18446744073709551615']);
    const other = new SampleSeries();
    other.bind('plan-1');
    other.take(aSample(1, { timestamp_us: 1500, value: '3', label: 'third', unit: '' }));
    const sources = [
      { choice, series },
      { choice: { ...choice, signal: 'Gear' }, series: other },
    ];
    expect(csvLines(sources, { fromUs: 0, toUs: 9000 })).toEqual([
      'timestamp_us,time,channel,database,message,signal,value,unit,label,valid',
      '1000,1970-01-01T00:00:00.001000Z,powertrain,vehicle,Engine,Speed,1.10,rpm,,true',
      '1500,1970-01-01T00:00:00.001500Z,powertrain,vehicle,Engine,Gear,3,"",third,true',
      '2000,1970-01-01T00:00:00.002000Z,powertrain,vehicle,Engine,Speed,18446744073709551615,rpm,,true',
    ]);
  });

  it('writes what is in the range and nothing else', () => {
    const lines = csvLines([{ choice, series: aSeries([1, 2, 3, 4]) }], {
      fromUs: 2000,
      toUs: 3000,
    });
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['2000', '3000']);
  });

  it('quotes what would break a line, and tells invalid samples', () => {
    const series = new SampleSeries();
    series.bind('plan-1');
    series.take(aSample(1, { value: null, label: 'say "no", please', valid: false, unit: 'a,b' }));
    expect(csvLines([{ choice, series }], { fromUs: 0, toUs: 9000 })[1]).toBe(
      '1000,1970-01-01T00:00:00.001000Z,powertrain,vehicle,Engine,Speed,,"a,b","say ""no"", please",false',
    );
  });
});
