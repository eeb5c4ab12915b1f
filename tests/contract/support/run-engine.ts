import { Engine } from '../../../src/gateway/engine/engine.ts';
import { buildImage } from '../../../src/gateway/image/build-image.ts';
import { ImageReader } from '../../../src/gateway/image/image-reader.ts';
import { StateWriter } from '../../../src/gateway/image/image-state.ts';
import { faultTable } from '../../../src/gateway/image/image-tables.ts';
import { SignalSnapshot } from '../../../src/gateway/image/signal-snapshot.ts';
import { TaskPage } from '../../../src/gateway/image/task-page.ts';
import { loadProject } from '../../../src/gateway/project/load-project.ts';
import type { Project } from '../../../src/gateway/project/project.ts';
import { parseValue } from '../../../src/gateway/values/signal-value.ts';
import type { TaskError } from '../../../src/gateway/values/task-error.ts';
import type {
  Script,
  ScriptEvent,
  SentFrame,
  Snapshot,
  Trace,
  WriteAnswer,
  WriteGroup,
} from '../../reference/gateway/script.ts';
import { ScriptedUnits, stepOf } from './scripted-units.ts';

/** How long after a stop outcomes are still accepted. */
const graceUs = 1_000_000;

/** The engine of the product, driven by a script as by a bench thread. */
class ScriptedEngine {
  readonly frames: SentFrame[] = [];
  readonly groups: WriteGroup[] = [];
  readonly answers: WriteAnswer[] = [];
  readonly snapshots: Snapshot[] = [];
  readonly units: ScriptedUnits;
  readonly #project: Project;
  readonly #image: ReturnType<typeof buildImage>;
  readonly #reader: ImageReader;
  readonly #engine: Engine;
  readonly #down = new Set<string>();
  readonly #refusing = new Set<string>();
  readonly #inFlight = new Set<number>();
  readonly #started = new Set<number>();
  #isRunning = false;
  #nowUs = 0;
  #stopUs = Number.NaN;

  constructor(project: object, runsUntilHot?: number) {
    this.#project = loadProject(Buffer.from(JSON.stringify(project)));
    this.#image = buildImage(this.#project);
    this.#reader = new ImageReader(this.#image);
    this.#engine = new Engine({
      image: this.#image,
      writer: new StateWriter(this.#image),
      clock: { unixOffsetUs: 0, monotonicUs: () => this.#nowUs },
      transport: {
        channelOf: () => null,
        send: (task, bytes) => this.#send(task, bytes),
        serve: (server, resource) => this.units.serve(server, resource),
      },
      ...(runsUntilHot !== undefined && { runsUntilHot }),
    });
    this.units = new ScriptedUnits(this.#project, this.#engine);
    for (const _ of this.#engine.compile());
  }

  handle(event: ScriptEvent): void {
    this.#nowUs = event.atUs;
    if (event.atUs - this.#stopUs >= graceUs) this.#release();
    switch (event.kind) {
      case 'start':
        this.#stopUs = Number.NaN;
        this.#isRunning = true;
        this.units.reset();
        for (const _ of this.#engine.reset());
        this.#engine.begin(event.atUs);
        this.#engine.run(event.atUs);
        for (const endpoint of this.#down) this.#disconnect(endpoint);
        return;
      case 'stop':
        this.#engine.stop();
        this.#isRunning = false;
        this.#stopUs = event.atUs;
        return;
      case 'frame':
        this.#receive(event);
        return;
      case 'set':
        this.#set(event.signal, event.value);
        return;
      case 'switch':
        this.#engine.switchFault(this.#faultPlace(event.rule), event.enabled);
        return;
      case 'endpoint':
        if (event.up) {
          this.#down.delete(event.endpoint);
          this.#engine.reconnect(this.#row('endpoints', event.endpoint));
        } else {
          this.#down.add(event.endpoint);
          this.#disconnect(event.endpoint);
        }
        return;
      case 'accepts':
        if (event.accepts) this.#refusing.delete(event.endpoint);
        else this.#refusing.add(event.endpoint);
        return;
      case 'poll':
        if (this.#isRunning && !this.#down.has(event.endpoint)) this.units.answer(event);
        return;
      case 'client_write':
        this.#write(event);
        return;
      case 'started':
        this.#begin(this.#row('tx_tasks', event.task));
        return;
      case 'outcome':
        this.#settle(
          this.#row('tx_tasks', event.task),
          event.sent ? null : (event.error ?? 'tx_failed'),
        );
        return;
      case 'round':
        // Like a scheduler: an early round would find nothing to do.
        if (this.#engine.nextDeadlineUs <= event.atUs) this.#engine.run(event.atUs);
        return;
      case 'snapshot':
        this.#snapshot();
        return;
    }
  }

  #send(task: number, bytes: Uint8Array): TaskError | null {
    const row = this.#project.tx_tasks[task];
    if (row?.resources) return this.#sendGroup(task, row.id, row.resources[0], bytes);
    const message = this.#project.messages.find(({ id }) => id === row?.message);
    if (!row || !message) throw new Error('There is no such task');
    if (this.#down.has(message.endpoint)) return 'channel_not_open';
    if (this.#refusing.has(message.endpoint)) return 'bus_off';
    this.#inFlight.add(task);
    this.frames.push({
      atUs: this.#nowUs,
      task: row.id,
      endpoint: message.endpoint,
      id: message.can_id,
      extended: message.extended,
      fd: message.fd,
      brs: message.brs,
      data: Buffer.from(bytes).toString('hex'),
    });
    return null;
  }

  #sendGroup(
    task: number,
    id: string,
    resource: string | undefined,
    bytes: Uint8Array,
  ): TaskError | null {
    const { endpoint = '' } =
      this.#project.modbus_resources.find((row) => row.id === resource) ?? {};
    if (this.#down.has(endpoint)) return 'modbus_unreachable';
    if (this.#refusing.has(endpoint)) return 'queue_full';
    this.#inFlight.add(task);
    const steps = this.#engine.writesOf(task)?.steps(bytes) ?? [];
    this.groups.push({ atUs: this.#nowUs, task: id, endpoint, steps: steps.map(stepOf) });
    return null;
  }

  #write(event: Extract<ScriptEvent, { kind: 'client_write' }>): void {
    const { atUs, endpoint } = event;
    if (!this.#isRunning || this.#down.has(endpoint)) return;
    this.answers.push({ atUs, endpoint, exception: this.units.write(event) });
  }

  #receive(event: Extract<ScriptEvent, { kind: 'frame' }>): void {
    if (event.error || event.completion || this.#down.has(event.endpoint)) return;
    const endpoint = this.#row('endpoints', event.endpoint);
    const input = this.#engine.inputs.find(
      (each) =>
        each.endpoint === endpoint && each.canId === event.id && each.extended === event.extended,
    );
    if (!input) return;
    const { data } = event;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    this.#engine.receive(input.message, view, 0, event.remote ? -1 : data.length, event.atUs);
  }

  #set(id: string, text: string): void {
    const signal = this.#reader.findSignal(id) ?? -1;
    const { type } = this.#reader.signal(signal);
    this.#engine.set(signal, parseValue(type, text) ?? 0, this.#nowUs);
  }

  /** A session reports once that a group is being sent. */
  #begin(task: number): void {
    if (!this.#inFlight.has(task) || this.#started.has(task)) return;
    this.#started.add(task);
    this.#engine.started(task, this.#nowUs);
  }

  #settle(task: number, error: TaskError | null): void {
    this.#started.delete(task);
    if (!this.#inFlight.delete(task)) return;
    this.#engine.settled(task, error, this.#nowUs);
  }

  #release(): void {
    this.#stopUs = Number.NaN;
    this.#engine.release();
    this.#inFlight.clear();
    this.#started.clear();
  }

  #disconnect(endpoint: string): void {
    const row = this.#row('endpoints', endpoint);
    const isCan = this.#project.endpoints[row]?.kind === 'can';
    this.#engine.disconnect(row, isCan ? 'channel_not_open' : 'modbus_unreachable', this.#nowUs);
  }

  #faultPlace(rule: string): number {
    const { row } = faultTable.open(this.#image.faults);
    return row.indexOf(this.#row('fault_rules', rule));
  }

  #row(table: 'endpoints' | 'tx_tasks' | 'fault_rules', id: string): number {
    return this.#project[table].findIndex((row) => row.id === id);
  }

  #snapshot(): void {
    const signals = new SignalSnapshot(this.#image, this.#reader, 0, this.#reader.signalCount);
    const page = new TaskPage(this.#image, 0, this.#reader.taskCount);
    this.snapshots.push({
      atUs: this.#nowUs,
      signals: [...signals.entries()].map((entry) => ({
        id: entry.id,
        value: entry.value,
        valid: entry.valid,
        quality: entry.quality,
        observedUs: entry.observed_us,
        bindings: entry.bindings.map(({ error, ...binding }) => ({
          ...binding,
          error: error?.code ?? null,
        })),
      })),
      tasks: this.#project.tx_tasks.map(({ id }, index) => {
        const task = page.task(index);
        return {
          id,
          accepted: task.accepted,
          sent: task.sent,
          failed: task.failed,
          pending: task.pending,
          unconfirmed: task.unconfirmed,
          coalesced: task.coalesced,
          late: task.late,
          missed: task.missed,
          lastLatenessUs: task.last_lateness_us,
          maxLatenessUs: task.max_lateness_us,
          generated: task.generated,
          injected: task.injected,
          unprotected: task.unprotected,
          dropped: task.dropped,
          repeated: task.repeated,
          suppressed: task.suppressed,
          faultConflicts: task.fault_conflicts,
          error: task.error?.code ?? null,
          sourceAge: task.source_age_at_submit_us,
          tickToSubmit: task.tick_to_submit_us,
          completionWait: task.completion_wait_us,
          queueWait: task.queue_wait_us,
          protocolWait: task.protocol_wait_us,
        };
      }),
      rejected: page.rejectedFrames,
      pollCoalesced: page.polls.poll_coalesced,
      registers: this.#isRunning ? this.units.registers : [],
    });
  }
}

const run = ({ project, events }: Script, runsUntilHot?: number): Trace => {
  const engine = new ScriptedEngine(project, runsUntilHot);
  for (const event of events) engine.handle(event);
  const { units, frames, groups, answers, snapshots } = engine;
  return { reads: units.reads, frames, groups, answers, snapshots };
};

/** Output of the engine for a script. */
export const runEngine = (script: Script): Trace => run(script);

/** The same with generated functions wherever possible. */
export const runHotEngine = (script: Script): Trace => run(script, 0);

/** The same while functions are generated at run time. */
export const runWarmingEngine = (script: Script): Trace => run(script, 2);
