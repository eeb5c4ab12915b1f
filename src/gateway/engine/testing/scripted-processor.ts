import { Slots } from '../../values/slots.ts';
import type { NativeParts, ProcessorProgram } from '../native-parts.ts';

/** An item that a script stages: its task index, and bytes as hex. */
export interface ScriptedItem {
  readonly task?: number;
  readonly hex: string;
  readonly length?: number;
}

/** What one call of a scripted processor does. */
export interface ScriptedRun {
  readonly outputs?: readonly (number | null)[];
  readonly items?: readonly ScriptedItem[];
  readonly fails?: boolean;
  /** Called during the processing. */
  readonly during?: () => void;
}

/** Inputs of a call. */
export interface SeenRun {
  readonly nowUs: number;
  readonly room: number;
  /** Values of valid inputs. */
  readonly inputs: readonly (number | null)[];
  readonly flags: readonly number[];
}

/** A scripted processor that records its inputs. */
export class ScriptedProcessor implements ProcessorProgram {
  readonly seen: SeenRun[] = [];
  /** Scripts of the next calls; none does nothing. */
  readonly script: ScriptedRun[] = [];
  readonly outputs: Slots;
  readonly #inputs: (number | null)[] = [];
  readonly #flags: number[] = [];
  readonly #valid: boolean[] = [];
  #items: readonly ScriptedItem[] = [];

  constructor(outputs: number) {
    this.outputs = new Slots(outputs);
  }

  /** The processor as the only plugin. */
  get parts(): NativeParts {
    return { processor: () => this } as Partial<NativeParts> as NativeParts;
  }

  putInput(index: number, from: Slots, slot: number, isValid: boolean, flags: number): void {
    this.#inputs[index] = isValid ? from.double(slot) : null;
    this.#flags[index] = flags;
  }

  putOutput(index: number, from: Slots, slot: number, isValid: boolean): void {
    this.outputs.copyFrom(index, from, slot);
    this.#valid[index] = isValid;
  }

  run(nowUs: number, room: number): boolean {
    this.seen.push({ nowUs, room, inputs: [...this.#inputs], flags: [...this.#flags] });
    const { outputs = [], items = [], fails = false, during } = this.script.shift() ?? {};
    during?.();
    outputs.forEach((value, index) => {
      this.#valid[index] = value !== null;
      if (value !== null) this.outputs.setNumber(index, value);
    });
    this.#items = items;
    return !fails;
  }

  isOutputValid(index: number): boolean {
    return this.#valid[index] === true;
  }

  get itemCount(): number {
    return this.#items.length;
  }

  itemTask(index: number): number {
    return this.#items[index]?.task ?? 0;
  }

  itemLength(index: number): number {
    const { length, hex = '' } = this.#items[index] ?? {};
    return length ?? hex.length / 2;
  }

  itemBytes(index: number): Uint8Array {
    return Buffer.from(this.#items[index]?.hex ?? '', 'hex');
  }

  reset(): void {}
}
