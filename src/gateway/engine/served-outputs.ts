import type { CompiledServer, CompiledUnits } from './compile-units.ts';
import type { OutputBinding } from './output-binding.ts';
import type { EngineTransport } from './value-task.ts';

/** An output that clients read, by server and resource. */
export interface ServedOutput {
  readonly binding: OutputBinding;
  readonly server: number;
  readonly resource: number;
  readonly validity: number;
}

/** Outputs that clients read. */
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
   * Updates what clients read after a change. Numbers count served outputs, then bindings that
   * clients write.
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
