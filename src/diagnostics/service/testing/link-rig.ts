import { setImmediate as nextTurn } from 'node:timers/promises';
import { BusbarError } from '../../../base/errors/busbar-error.ts';
import type { Channel } from '../../../bench/channel.ts';
import type { EcuEntry } from '../../../bench/ecu-entry.ts';
import { TableRig } from '../../../bench/testing/table-rig.ts';
import { lengthToDlc } from '../../../frame/dlc.ts';
import { frm2Id, frm2PayloadLength } from '../../../frame/frm2-codec.ts';
import { frameFlag, frm2 } from '../../../frame/frm2-layout.ts';
import { formatHex, parseHex } from '../../../frame/hex-bytes.ts';
import type { DiagnosticLink } from '../diagnostic-link.ts';
import { DiagnosticLinks } from '../diagnostic-links.ts';
import type { FindSlots } from '../lin-transport.ts';
import type { DiagnosticResponse } from '../link-record.ts';
import { Requests, type SendRequest } from '../requests.ts';

export const engine: EcuEntry = {
  channel: 'SIM00001/0',
  request_id: 0x7e0,
  response_id: 0x7e8,
  functional_id: 0x7df,
  padding: 'none',
};

export interface Watched {
  record?: DiagnosticResponse;
  error?: BusbarError;
}

/** What a frame on the bus makes the ECU send, as `<id>#<data>` in hex. */
export type Script = (frame: string) => readonly string[];

/** Links on one port of the virtual bench, and a scripted ECU on another port of its bus. */
export class LinkRig extends TableRig {
  slotsOn: FindSlots = () => undefined;
  readonly links = new DiagnosticLinks({
    clock: this.clock,
    scheduler: this.scheduler,
    channels: this.table,
    capacity: 64,
    slotsOn: (slot) => this.slotsOn(slot),
  });
  readonly files = new Map<string, Uint8Array>();
  readonly requests = new Requests(
    this.links,
    async (file) => this.files.get(file) ?? new Uint8Array(),
  );
  /** Frames that the ECU received. */
  readonly seen: string[] = [];
  script: Script = () => [];
  ecu: Channel | undefined;

  constructor(ecus: Record<string, EcuEntry> = { engine }) {
    super();
    this.bench = { ...this.bench, ecus };
  }

  async openBus(settings: object = {}): Promise<void> {
    await this.open(0, settings);
    await this.reopenEcu(settings);
  }

  /** Opens the port of the ECU. */
  async reopenEcu(settings: object = {}): Promise<void> {
    this.ecu = await this.open(1, settings);
    this.ecu.onFrame((record, at) => {
      const length = frm2PayloadLength(record, at);
      const data = Uint8Array.from({ length }, (_, i) => record.getUint8(at + frm2.payload + i));
      const frame = `${frm2Id(record, at).toString(16).toUpperCase()}#${formatHex(data)}`;
      this.seen.push(frame);
      for (const text of this.script(frame)) this.say(text);
    });
  }

  /** Sends a frame of the ECU. */
  say(text: string): void {
    const [id = '', hex = ''] = text.split('#');
    const data = parseHex(hex, { field: 'data', maxLength: 64 });
    const isFd = data.length > 8;
    const flags = (id.length > 3 ? frameFlag.extended : 0) | (isFd ? frameFlag.fd : 0);
    const lane = this.ecu?.outbox.open({});
    const dlc = lengthToDlc(data.length, isFd);
    lane?.send(Number.parseInt(id, 16), flags, dlc, data, 0, data.length);
    lane?.close();
  }

  /** Answers requests by their payload in hex; single frames both ways. */
  answer(answers: Readonly<Record<string, readonly string[]>>): void {
    this.script = (frame) => answers[frame] ?? [];
  }

  ask(data: string, more: Partial<SendRequest> = {}, signal?: AbortSignal): Watched {
    const watched: Watched = {};
    const request: SendRequest = {
      ecu: 'engine',
      data,
      protocol: 'uds',
      wait: true,
      functional: false,
      timeout_ms: 60_000,
      ...more,
    };
    this.requests.send(request, this.benchSource, signal).then(
      (record) => {
        watched.record = record;
      },
      (thrown) => {
        watched.error = BusbarError.from(thrown);
      },
    );
    return watched;
  }

  link(name = 'engine'): Promise<DiagnosticLink> {
    return this.links.use(name, this.benchSource);
  }

  async pass(us: number): Promise<void> {
    await nextTurn();
    this.clock.advanceUs(us);
    await nextTurn();
  }
}
