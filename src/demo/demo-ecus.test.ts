import { describe, expect, it } from 'vitest';
import { builtInBench } from '../bench/built-in-bench.ts';
import { ecuProblems } from '../bench/ecu-entry.ts';
import { TableRig } from '../bench/testing/table-rig.ts';
import { readLdf } from '../database/ldf/read-ldf.ts';
import { ecuModelProblems } from '../diagnostics/ecu-model.ts';
import { formatHex } from '../frame/hex-bytes.ts';
import { compileSchedule } from '../lin/compile-schedule.ts';
import type { DiagnosticSlots } from '../lin/diagnostic-slots.ts';
import { diagnosticPollUs } from '../lin/schedule-plan.ts';
import { demoPorts } from './demo-bench.ts';
import { demoEcuStarts, demoEcus } from './demo-ecus.ts';
import { demoProject } from './demo-project.ts';
import { doorNetwork } from './door-network.ts';
import { startDemoVehicle } from './vehicle.ts';

describe('the ECUs of the demonstration vehicle', () => {
  it.each(demoEcuStarts)('$ecu is described as a file would be', ({ entry, model }) => {
    expect(ecuModelProblems(model)).toEqual([]);
    expect(ecuProblems(entry, [])).toEqual([]);
  });

  it('have names for all their identifiers', () => {
    for (const { entry, model } of demoEcuStarts) {
      expect(Object.keys(entry.dids).sort()).toEqual(Object.keys(model.dids ?? {}).sort());
    }
  });

  it('read signals that the gateway has', () => {
    const signals = JSON.parse(demoProject()).signals.map(({ id }: { id: string }) => id);
    for (const { model } of demoEcuStarts) {
      for (const did of Object.values(model.dids ?? {})) {
        if ('signal' in did) expect(signals).toContain(did.signal.replace('vehicle-gateway/', ''));
      }
    }
  });

  it('are on other channels than the links to them', () => {
    const names = demoPorts.map(({ name }) => name);
    for (const { ecu, on } of demoEcuStarts) {
      expect(names).toContain(demoEcus[ecu].channel);
      expect(demoEcus[ecu].channel).not.toBe(on);
    }
  });
});

describe('the diagnostic slots of the demonstration', () => {
  it('are in the schedule that its LDF describes', () => {
    const { database } = readLdf(new TextEncoder().encode(doorNetwork()));
    const { lin, messages } = database;
    if (!lin) throw new RangeError('This is no LDF');
    const plan = compileSchedule({ lin, messages, dataOf: ({ length }) => new Uint8Array(length) });
    expect(plan.tables.map(diagnosticPollUs)).toEqual([70_000]);
  });

  it('carry a request and its response, and are silent otherwise', async () => {
    const rig = new TableRig();
    const { clock, scheduler } = rig;
    const slots = new Map<number, DiagnosticSlots>();
    const place = { directory: null };
    await startDemoVehicle({ place, channels: rig.table, clock, scheduler, slots });
    const named = (wanted: string) => {
      const channel = rig.table.channels.find(({ name }) => name === wanted);
      if (!channel) throw new RangeError(wanted);
      return channel;
    };
    const [master, slave] = [named('door-master'), named('door-slave')];
    const diagnostic = () => rig.records(slave.slot).filter(({ id }) => id === 0x3c || id === 0x3d);
    clock.advanceUs(500_000);
    expect(diagnostic()).toEqual([]);

    const request = Uint8Array.of(1, 2, 0x3e, 0, 0xff, 0xff, 0xff, 0xff);
    const sent: boolean[] = [];
    const user = {
      entered: () => undefined,
      ended: () => undefined,
      nextFrame: () => (sent.length === 0 ? request : null),
      settled: (isSent: boolean) => void sent.push(isSent),
    };
    const own = slots.get(master.slot);
    if (slave.hardware.bus === 'lin') slave.hardware.setResponse(0x3d, 0, request, 0, 8);
    own?.join(user, clock.monotonicUs());
    clock.advanceUs(2 * (own?.pollUs ?? 0));
    expect(sent).toEqual([true]);
    const [first, second] = diagnostic();
    expect([first?.id, formatHex(first?.data ?? new Uint8Array())]).toEqual([
      0x3c,
      '01023E00FFFFFFFF',
    ]);
    expect([second?.id, second?.kind]).toEqual([0x3d, 'tx_complete']);
    own?.leave(user, clock.monotonicUs());

    await rig.table.close('door-master', rig.benchSource);
    await rig.table.open({ channel: 'SIM00001/4', name: 'door-master' }, async () => builtInBench);
    sent.length = 0;
    slots.get(named('door-master').slot)?.join(user, clock.monotonicUs());
    clock.advanceUs(200_000);
    expect(sent).toEqual([true]);
  });
});
