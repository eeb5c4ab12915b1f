import type { BitField } from '../codecs/bit-field.ts';
import type { EncodingError, Raw } from '../codecs/encode-linear.ts';
import type { WireField, WireLayout } from '../codecs/wire-field.ts';
import { errorNumber } from '../image/image-state.ts';
import type { bindingStateTable } from '../image/image-tables.ts';
import type { Cells } from '../values/cells.ts';
import type { CompiledServer, CompiledUnits } from './compile-units.ts';
import type { SentBinding } from './generated/generate-refresh.ts';
import { generateUpdate, type Update } from './generated/generate-update.ts';
import type { HotPart, HotParts, RunCounter } from './generated/hot-parts.ts';
import type { MuxMember, MuxRangeList } from './mux.ts';
import type { RawEncoder } from './native-parts.ts';
import type { SignalStates } from './signal-states.ts';
import type { EngineTransport } from './value-task.ts';

export interface OutputBindingParts {
  readonly signal: number;
  readonly state: number;
  /** Null for Modbus units. */
  readonly place: WireLayout | null;
  readonly field: WireField;
  readonly encoder: RawEncoder;
  readonly isFloat: boolean;
  readonly initialRaw: Raw;
  readonly validityBit: BitField | null;
  readonly selector: OutputBinding | null;
  readonly ranges: MuxRangeList | null;
}

type BindingStates = ReturnType<typeof bindingStateTable.open>;

export class OutputBinding implements MuxMember, HotPart {
  readonly signal: number;
  readonly selector: OutputBinding | null;
  readonly ranges: MuxRangeList | null;
  isActive = true;
  /** Raw value in the frame, even if the signal is invalid. */
  raw: Raw = 0;
  isValid = false;
  /** Fallback raw value of an invalid signal: the last one, or the initial one. */
  lastRaw: Raw;
  readonly state: number;
  readonly place: WireLayout | null;
  readonly validityBit: BitField | null;
  readonly shared: BindingStates;
  readonly #field: WireField;
  readonly #encoder: RawEncoder;
  readonly #isFloat: boolean;
  readonly #signals: SignalStates;
  readonly #raws: Cells;
  readonly #valid: Uint8Array;
  readonly #errors: Uint8Array;
  readonly #initialRaw: Raw;
  readonly #runs: RunCounter;
  #quick: Update | null = null;

  constructor(
    parts: OutputBindingParts,
    signals: SignalStates,
    shared: BindingStates,
    hot: HotParts,
  ) {
    this.#runs = hot.counterOf(this);
    this.place = parts.place;
    this.shared = shared;
    this.signal = parts.signal;
    this.selector = parts.selector;
    this.ranges = parts.ranges;
    this.state = parts.state;
    this.#field = parts.field;
    this.#encoder = parts.encoder;
    this.#isFloat = parts.isFloat;
    this.validityBit = parts.validityBit;
    this.#signals = signals;
    this.#raws = shared.raw;
    this.#valid = shared.valid;
    this.#errors = shared.error;
    this.#initialRaw = parts.initialRaw;
    this.lastRaw = parts.initialRaw;
  }

  reset(): void {
    this.lastRaw = this.#initialRaw;
    this.#setError(null);
    this.raw = this.#fallback();
    this.isValid = false;
    this.#share();
  }

  get sent(): SentBinding | null {
    const { place, validityBit, selector, state, shared } = this;
    return place === null ? null : { place, validityBit, selector, state, shared };
  }

  generate(): void {
    if (this.place !== null)
      this.#quick = generateUpdate(this, this.place, this.#encoder, this.#signals);
  }

  update(): boolean {
    const quick = this.#quick;
    if (quick !== null) return quick();
    this.#runs.count();
    return this.updateAll();
  }

  updateAll(): boolean {
    if (!this.#signals.isValid(this.signal)) return this.#put(this.#fallback(), false);
    const error = this.#encode();
    this.#setError(error);
    if (error !== null) return this.#put(this.#fallback(), false);
    this.lastRaw = this.#encoder.raw;
    return this.#put(this.lastRaw, true);
  }

  write(bytes: Uint8Array): void {
    this.#field.write(bytes, 0, this.raw);
    this.validityBit?.write(bytes, 0, this.isValid ? 1 : 0);
  }

  #encode(): EncodingError | null {
    return this.#encoder.encode(this.#signals.values, this.signal);
  }

  #fallback(): Raw {
    return this.#encoder.invalidRaw ?? this.lastRaw;
  }

  #put(raw: Raw, isValid: boolean): boolean {
    if (this.raw === raw && this.isValid === isValid) return false;
    this.raw = raw;
    this.isValid = isValid;
    this.#share();
    return true;
  }

  #share(): void {
    this.#valid[this.state] = this.isValid ? 1 : 0;
    this.#raws.put(this.state, this.raw, this.#isFloat);
  }

  #setError(error: EncodingError | null): void {
    this.#errors[this.state] = errorNumber(error);
  }
}

export interface ServedOutput {
  readonly binding: OutputBinding;
  readonly server: number;
  readonly resource: number;
  readonly validity: number;
}

export class ServedOutputs {
  readonly #units: CompiledUnits;
  readonly #outputs: readonly ServedOutput[];
  readonly #transport: EngineTransport;

  constructor(units: CompiledUnits, outputs: readonly ServedOutput[], transport: EngineTransport) {
    this.#units = units;
    this.#outputs = outputs;
    this.#transport = transport;
  }

  get count(): number {
    return this.#outputs.length;
  }

  reset(number: number): void {
    this.#outputs[number]?.binding.reset();
  }

  /** Writes the initial content. Yields after each resource. */
  *fill(): Generator<void> {
    for (const { binding, server } of this.#outputs) {
      binding.write(this.#memoryOf(server));
      yield;
    }
    for (const [server, { blocks }] of this.#units.servers.entries()) {
      for (const resource of blocks.keys()) {
        this.#transport.serve(server, resource);
        yield;
      }
    }
  }

  /**
   * Updates the memory that clients read. Numbers count served outputs first, then bindings
   * that clients write.
   */
  update(number: number): void {
    const output = this.#outputs[number];
    if (!output) {
      this.#units.mirrors[number - this.#outputs.length]?.update();
      return;
    }
    const { binding, server, resource, validity } = output;
    if (!binding.update()) return;
    binding.write(this.#memoryOf(server));
    this.#transport.serve(server, resource);
    if (validity >= 0) this.#transport.serve(server, validity);
  }

  #memoryOf(server: number): Uint8Array {
    return (this.#units.servers[server] as CompiledServer).memory;
  }
}
