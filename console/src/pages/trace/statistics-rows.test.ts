import { describe, expect, it } from 'vitest';
import type { IdFigures, StatisticsReport } from '../../trace-core/id-report.ts';
import { statisticsCsv, statisticsRows } from './statistics-rows.ts';

const anId = (changes: Partial<IdFigures> = {}): IdFigures => ({
  serial: 0,
  timestampUs: 0,
  channel: 0,
  bus: 1,
  kind: 1,
  id: 0x100,
  flags: 0,
  dlc: 8,
  length: 8,
  errors: 0,
  count: 3,
  nominalBits: 300,
  dataBits: 0,
  cycle: { minUs: 9000, meanUs: 10_000.4, p99Us: 11_000, maxUs: 11_000, jitterUs: 816.4 },
  lengths: [4, 8],
  changes: 2,
  ...changes,
});

const texts = { channelName: () => 'power,train', messageName: () => 'Engine' };

const aReport = (...ids: IdFigures[]): StatisticsReport => ({
  ids: ids.slice(0, 1),
  total: ids.length,
  traffic: new Map([
    [
      0,
      {
        nominalBits: ids.reduce((sum, each) => sum + each.nominalBits, 0),
        dataBits: ids.reduce((sum, each) => sum + each.dataBits, 0),
      },
    ],
  ]),
  observedUs: 10_000,
});

const rates = [{ slot: 0, bitrate: 500_000, data_bitrate: 2_000_000 }];

describe('the load and the share of an ID', () => {
  it('are of the time that was observed and of all IDs of the channel', () => {
    const [row] = statisticsRows(aReport(anId(), anId({ nominalBits: 700 })), rates, texts);
    expect(row).toMatchObject({ name: 'Engine', load: 6, share: 30 });
  });

  it('count each phase of CAN FD at its own bit rate', () => {
    const fd = anId({ nominalBits: 100, dataBits: 400 });
    const [row] = statisticsRows(aReport(fd, anId({ nominalBits: 300 })), rates, texts);
    expect(row).toMatchObject({ load: 4, share: (100 * 400) / 1000 });
  });

  it('are not made up where the bit rate is not known', () => {
    const classic = aReport(anId(), anId({ nominalBits: 700 }));
    expect(statisticsRows(classic, [], texts)[0]).toMatchObject({ load: null, share: 30 });
    const mixed = aReport(anId(), anId({ dataBits: 700 }));
    const noDataRate = [{ slot: 0, bitrate: 500_000, data_bitrate: null }];
    expect(statisticsRows(mixed, noDataRate, texts)[0]).toMatchObject({ load: 6, share: null });
  });

  it('have no load before time has passed', () => {
    const report = { ...aReport(anId()), observedUs: 0 };
    expect(statisticsRows(report, rates, texts)[0]).toMatchObject({ load: null, share: 100 });
  });
});

describe('statisticsCsv', () => {
  it('has a line for each ID, with empty cells for what is not known', () => {
    const known = statisticsRows(aReport(anId()), rates, texts);
    const unknown = statisticsRows(aReport(anId({ cycle: null })), [], {
      ...texts,
      messageName: () => null,
    });
    expect(statisticsCsv([...known, ...unknown]).split('\r\n')).toEqual([
      'channel,direction,id,extended,name,type,frames,cycle_min_us,cycle_mean_us,cycle_p99_us,cycle_max_us,jitter_us,lengths,changes,bus_load_percent,traffic_share_percent',
      '"power,train",Rx,100,false,Engine,CAN,3,9000,10000,11000,11000,816,4 8,2,6.0000,100.0000',
      '"power,train",Rx,100,false,,CAN,3,,,,,,4 8,2,,100.0000',
      '',
    ]);
  });
});
