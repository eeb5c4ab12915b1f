import type { EcuEntry } from '../../../bench/ecu-entry.ts';
import { linSlaveResponseId } from '../../../frame/lin.ts';
import type { SchedulePlan, SlotPlan } from '../../../lin/schedule-plan.ts';
import type { LinkRequest } from '../../../pdu/isotp/link-settings.ts';
import { LinSchedules } from '../../../transmit/lin/lin-schedules.ts';
import type { EcuModel } from '../../ecu-model.ts';
import type { FindSlots } from '../lin-transport.ts';
import type { SimulatedEcu } from '../simulated-ecu-record.ts';
import { SimulatedEcus } from '../simulated-ecus.ts';
import { engine, LinkRig, type Watched } from './link-rig.ts';

export const door: EcuEntry = { channel: 'SIM00001/4', nad: 10 };
export const doorSlot = 10_000;

const response: SlotPlan = {
  action: { kind: 'read', id: linSlaveResponseId, enhanced: false, length: 8 },
  lengthUs: doorSlot,
};
const own: SlotPlan = { action: { kind: 'publish', frame: 0 }, lengthUs: doorSlot };
const tableOf = (name: string, ...slots: SlotPlan[]) => ({
  name,
  isNamed: true,
  fault: null,
  slots,
});

/** A table with diagnostic slots, one without, and one with a frame for its MasterReq slot. */
export const doorPlan: SchedulePlan = {
  frames: [
    { message: 'Own', id: 1, enhanced: true, data: new Uint8Array(2) },
    { message: 'Request', id: 60, enhanced: false, data: Uint8Array.of(9, 1, 0x3e) },
  ],
  tables: [
    tableOf(
      'Diagnostic',
      own,
      { action: { kind: 'request', frames: [1] }, lengthUs: doorSlot },
      response,
    ),
    tableOf('Normal', own),
  ],
};

export const vin = 'WBABUSBAR00000001';

export const sampleModel: EcuModel = {
  dids: {
    F190: { text: vin, writable: true, security: 1 },
    '0100': { counter: 2 },
    '0101': { hex: '5A', writable: true },
    '0102': { signal: 'plant/Speed' },
  },
  dtcs: [{ dtc: '123456', status: 0x2f, snapshot: '0101015A', extended: '05' }],
  security: { '1': { seed: 'DEADBEEF', key: 'CAFEBABE' } },
  routines: { '0203': { duration_ms: 300, result: 'FF' } },
  memory: { address: 0x0800_0000, size: 4096 },
};

/** Links and simulated ECUs on the ports of one virtual bench, CAN and LIN. */
export class EcuRig extends LinkRig {
  readonly models = new Map<string, EcuModel>([['ecu.json', sampleModel]]);
  readonly signals = new Map<string, string>();
  readonly linSchedules = new LinSchedules({
    clock: this.clock,
    scheduler: this.scheduler,
    channels: this.table,
    taskOn: () => undefined,
  });
  readonly ecus = new SimulatedEcus({
    clock: this.clock,
    scheduler: this.scheduler,
    channels: this.table,
    capacity: 64,
    readModel: async (file) => this.models.get(file) ?? {},
    readSignal: (name) => this.signals.get(name) ?? null,
  });
  override slotsOn: FindSlots = (slot) => this.linSchedules.diagnosticsOn(slot);

  constructor(ecus: Record<string, EcuEntry> = { engine, door }) {
    super(ecus);
  }

  serve(
    model: EcuModel,
    ecu = 'engine',
    channel = 'SIM00001/1',
    more: LinkRequest = {},
  ): Promise<SimulatedEcu> {
    this.models.set('given.json', model);
    const isNamed = Object.keys(more).length === 0;
    const request = { channel, file: 'given.json', ...(isNamed ? { ecu } : more) };
    return this.ecus.serve(request, this.benchSource);
  }

  /** A bus with an ECU that has the sample model, and more. */
  async openEngine(more: EcuModel = {}): Promise<void> {
    await this.openBus();
    await this.serve({ ...sampleModel, ...more });
  }

  /** A LIN bus with a schedule, and a slave with the sample model. */
  async openDoor(more: EcuModel = {}, table = 0): Promise<void> {
    await this.open(4);
    await this.open(5);
    await this.startSchedule(table);
    await this.serve({ ...sampleModel, ...more }, 'door', 'SIM00001/5');
  }

  startSchedule(table: number): Promise<unknown> {
    const source = {
      database: 'doors',
      plan: doorPlan,
      messages: [],
      signalsOfSlaves: [],
      values: {},
    };
    return this.linSchedules.start({ channel: 'SIM00001/4', table, source }, this.benchSource);
  }

  /** The outcome of a request in short: its response, or the code of its error. */
  async outcome(data: string, ecu = 'engine', us = 10_000_000): Promise<string | undefined> {
    const asked = this.ask(data, { ecu });
    for (let left = us; left > 0 && !settled(asked); left -= 5000) await this.pass(5000);
    return asked.error?.code ?? asked.record?.response ?? undefined;
  }
}

const settled = ({ record, error }: Watched): boolean =>
  record !== undefined || error !== undefined;
