import { describe, expect, it } from 'vitest';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { shareSignalBench } from './support/signal-bench.ts';

const doors = `LIN_description_file;
LIN_protocol_version = "2.1";
LIN_language_version = "2.1";
LIN_speed = 19.2 kbps;
Nodes { Master: Body, 5 ms, 0.1 ms; Slaves: Door; }
Signals { Window: 8, 0, Door, Body; Lock: 2, 0, Body, Door; }
Frames {
  DoorCommand: 1, Body, 1 { Lock, 0; }
  DoorState: 2, Door, 2 { Window, 8; }
}
Node_attributes {
  Door { LIN_protocol = "1.3"; configured_NAD = 2; product_id = 1, 2; }
}
Schedule_tables { Normal { DoorCommand delay 10 ms; DoorState delay 15 ms; } }
Signal_encoding_types {
  Height { physical_value, 0, 200, 0.5, 0, "%"; logical_value, 255, "unknown"; }
}
Signal_representation { Height: Window; }
`;

describe('a LIN description file', () => {
  const bench = shareSignalBench(async (fresh) => {
    fresh.write('doors.ldf', doors);
    fresh.write('renamed.txt', doors);
    fresh.write('broken.ldf', doors.replace('Lock, 0;', 'Lock, 7;'));
    fresh.write('vehicle.arxml', '<?xml version="1.0"?>\n<AUTOSAR/>');
  });

  it('is loaded and shown alike over both faces, with its nodes, encodings and schedules', async () => {
    const loaded = (await bench.load({ file: 'doors.ldf' })).json();
    expect(loaded).toMatchObject({ name: 'doors', type: 'ldf', messages: 2, signals: 2, nodes: 2 });
    const shown = (await bench.get(`${api}/databases/doors`)).json();
    expect(shown.lin).toMatchObject({
      bitrate: 19_200,
      master: 'Body',
      slaves: [{ name: 'Door', protocol: '1.3', configured_nad: 2 }],
      schedule_tables: [
        {
          name: 'Normal',
          entries: [
            { command: 'frame', frame: 'DoorCommand', delay_ms: '10' },
            { command: 'frame', frame: 'DoorState', delay_ms: '15' },
          ],
        },
      ],
      omitted: false,
    });
    expect(shown.message_page).toMatchObject([
      { name: 'DoorCommand', lin: { publisher: 'Body', checksum: 'classic' } },
      {
        name: 'DoorState',
        lin: { kind: 'unconditional', publisher: 'Door', checksum: 'classic' },
        signals: [
          {
            name: 'Window',
            ranges: [{ from: '0', to: '200', factor: '0.5', offset: '0', unit: '%' }],
            values: [{ raw: '255', text: 'unknown' }],
          },
        ],
      },
    ]);
    expect(await bench.json('database', 'show', 'doors')).toEqual(shown);
    await bench.json('database', 'unload', 'doors');
  });

  it('is known by its first bytes, and by the type that a caller names', async () => {
    for (const type of [undefined, 'ldf']) {
      const answer = await bench.load({ file: 'renamed.txt', name: 'renamed', type });
      expect(answer.json()).toMatchObject({ type: 'ldf' });
      await bench.json('database', 'unload', 'renamed');
    }
    const wrong = await bench.load({ file: 'renamed.txt', type: 'dbc' });
    expect(refusedOverHttp(wrong)).toMatchObject({ status: 422, code: 'invalid_database' });
  });

  it('with an error is rejected with its line and column', async () => {
    const details = { field: 'file', file: 'broken.ldf', line: 8, column: 29 };
    expect(refusedOverHttp(await bench.load({ file: 'broken.ldf' }))).toMatchObject({
      status: 422,
      code: 'invalid_database',
      details,
    });
    const failure = await bench.failure('database', 'load', 'broken.ldf');
    expect(refusedByCli(failure)).toMatchObject({ exit: 1, code: 'invalid_database', details });
  });

  it('is not what other formats are: they are named and rejected', async () => {
    expect(refusedOverHttp(await bench.load({ file: 'vehicle.arxml' }))).toMatchObject({
      status: 422,
      code: 'unsupported_database',
      details: { field: 'file', file: 'vehicle.arxml', format: 'arxml' },
    });
    const failure = await bench.failure('database', 'load', 'vehicle.arxml');
    expect(refusedByCli(failure)).toMatchObject({ exit: 1, code: 'unsupported_database' });
  });
});
