import { describe, expect, it } from 'vitest';
import { TableRig } from '../bench/testing/table-rig.ts';
import { formatHex } from '../frame/hex-bytes.ts';
import { readDiagnostics } from '../pdu/j1939/diagnostics.ts';
import { Trailer, trailerFaults } from './trailer.ts';

const ms = 1000;

describe('the trailer of the demonstration', () => {
  it('reports two faults every second as a broadcast transfer', () => {
    const { clock, scheduler } = new TableRig();
    const sent: { readonly atMs: number; readonly id: string; readonly data: string }[] = [];
    const startUs = clock.monotonicUs();
    const lane = {
      send: (id: number, _flags: number, _dlc: number, data: Uint8Array) => {
        const atMs = (clock.monotonicUs() - startUs) / ms;
        sent.push({ atMs, id: id.toString(16).toUpperCase(), data: formatHex(data) });
        return 'accepted' as const;
      },
    };
    new Trailer({ clock, scheduler, lane }).start();
    for (let at = 0; at < 1700; at++) clock.advanceUs(ms);
    const transfer = (atMs: number) => [
      { atMs, id: '1CECFFC8', data: '200A0002FFCAFE00' },
      { atMs: atMs + 50, id: '1CEBFFC8', data: '0104FF3F04010388' },
      { atMs: atMs + 100, id: '1CEBFFC8', data: '0203050CFFFFFFFF' },
    ];
    expect(sent).toEqual([...transfer(500), ...transfer(1500)]);
    expect(readDiagnostics(trailerFaults)).toMatchObject({
      lamps: { amber_warning: 'on', malfunction: 'off' },
      dtcs: [
        { spn: 1087, fmi: 1, count: 3 },
        { spn: 904, fmi: 5, count: 12 },
      ],
    });
  });
});
