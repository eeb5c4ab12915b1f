import type { default as Koffi, LibraryHandle } from 'koffi';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type PluginKind, pluginKinds } from '../project/tables/plugins.ts';
import {
  abiFunction,
  abiVersion,
  any,
  type FunctionName,
  kindNumbers,
  maxStateBytes,
  neededFunctions,
  pluginBytes,
  pluginMembers,
  seedKeyArguments,
  seedKeyResult,
  signatures,
} from './abi.ts';

export type FailureReason =
  | 'missing_file'
  | 'not_a_library'
  | 'wrong_architecture'
  | 'not_loadable'
  | 'missing_symbol'
  | 'wrong_abi'
  | 'wrong_kind'
  | 'missing_function'
  | 'wrong_shape'
  | 'create_failed'
  | 'crashed'
  | 'timed_out'
  | 'too_large'
  | 'interfered'
  | 'unavailable';

export const pluginFailed = (
  plugin: string,
  reason: FailureReason,
  words: string,
  cause?: unknown,
): BusbarError =>
  new BusbarError('plugin_failed', {
    message: `${plugin}: ${words}`,
    details: { field: 'plugins', plugin, reason },
    cause,
  });

export type Ffi = typeof Koffi;

type Argument = ArrayBufferView | bigint | number | null;
export type NativeFunction = (...values: Argument[]) => number;

export interface PluginName {
  readonly id: string;
  readonly kind: PluginKind;
  readonly library: string;
  readonly entry: string;
}

type Members = { readonly [Name in keyof typeof pluginMembers]: number | bigint | null };

export interface NativePlugin {
  readonly id: string;
  readonly inputs: number | undefined;
  readonly outputs: number | undefined;
  readonly inputTypes: Uint8Array | null;
  readonly outputTypes: Uint8Array | null;
  readonly bitLength: number | undefined;
  readonly stateSize: number;
  readonly functions: Readonly<Partial<Record<FunctionName, NativeFunction>>>;
}

const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

const countOf = (count: number | bigint | null): number | undefined =>
  count === any ? undefined : Number(count);

/**
 * Collecting a handle unloads its library even if its functions are in use, because function
 * addresses do not reference it.
 */
const keptHandles: LibraryHandle[] = [];

export class NativeLibrary {
  readonly #ffi: Ffi;
  readonly #handle: LibraryHandle;

  /**
   * `path` may be a descriptor path. Errors contain `name`. Rejects a file that is not a plugin
   * library.
   */
  constructor(ffi: Ffi, path: string, name: PluginName) {
    this.#ffi = ffi;
    try {
      this.#handle = ffi.load(path);
      keptHandles.push(this.#handle);
    } catch (thrown) {
      const words = `${name.library} cannot be loaded: ${messageOf(thrown)}`;
      throw pluginFailed(name.id, 'not_loadable', words, thrown);
    }
    const version = this.#function(name, abiFunction, 'uint32_t')();
    if (version === abiVersion) return;
    const words = `${name.library} is for version ${version} of the interface, and this is ${abiVersion}`;
    throw pluginFailed(name.id, 'wrong_abi', words);
  }

  plugin(name: PluginName): NativePlugin {
    const address = this.#function(name, name.entry, 'void *')() as unknown as bigint | null;
    if (address === null) {
      throw pluginFailed(name.id, 'wrong_kind', `${name.entry} describes no plugin`);
    }
    const members = this.#members(name, address);
    const { kind } = members;
    if (kind !== kindNumbers[name.kind]) {
      const found = pluginKinds.find((each) => kindNumbers[each] === kind) ?? `kind ${kind}`;
      throw pluginFailed(name.id, 'wrong_kind', `${name.entry} is ${found}, and no ${name.kind}`);
    }
    const functions = this.#functions(members);
    const missing = neededFunctions[name.kind].find((each) => !functions[each]);
    if (missing) {
      throw pluginFailed(name.id, 'missing_function', `${name.entry} has no function ${missing}`);
    }
    const stateSize = Number(members.stateSize);
    if (stateSize > maxStateBytes) {
      const words = `${name.entry} needs ${stateSize} bytes of state; there are at most ${maxStateBytes}`;
      throw pluginFailed(name.id, 'wrong_shape', words);
    }
    const inputs = countOf(members.inputs);
    const outputs = countOf(members.outputs);
    return {
      id: name.id,
      inputs,
      outputs,
      inputTypes: this.#bytes(members.inputTypes, inputs),
      outputTypes: this.#bytes(members.outputTypes, outputs),
      bitLength: countOf(members.bitLength),
      stateSize,
      functions,
    };
  }

  /** A function that computes a key from a seed, exported by its name. */
  seedKey(name: PluginName): NativeFunction {
    try {
      return this.#handle.func(name.entry, seedKeyResult, [...seedKeyArguments]) as NativeFunction;
    } catch (thrown) {
      const words = `${name.library} has no function ${name.entry}`;
      throw pluginFailed(name.id, 'missing_symbol', words, thrown);
    }
  }

  #members(name: PluginName, address: bigint): Members {
    const ffi = this.#ffi;
    const version = ffi.decode(address, 0, 'uint32_t');
    const size = ffi.decode(address, 4, 'uint32_t');
    if (version !== abiVersion || size < pluginBytes) {
      const words = `${name.entry} is for version ${version} of the interface and has ${size} bytes; this is ${abiVersion} with ${pluginBytes}`;
      throw pluginFailed(name.id, 'wrong_abi', words);
    }
    return ffi.decode(address, ffi.struct({ ...pluginMembers }));
  }

  #functions(members: Members): NativePlugin['functions'] {
    const ffi = this.#ffi;
    const found: Partial<Record<FunctionName, NativeFunction>> = {};
    for (const name of Object.keys(signatures) as FunctionName[]) {
      const address = members[name];
      if (address === null) continue;
      const [result, values] = signatures[name];
      found[name] = ffi.decode(address, ffi.proto(result, [...values]));
    }
    return found;
  }

  #bytes(address: number | bigint | null, count: number | undefined): Uint8Array | null {
    if (address === null || count === undefined || count === 0) return null;
    return new Uint8Array(this.#ffi.view(address, count)).slice();
  }

  #function(name: PluginName, symbol: string, result: string): () => number {
    try {
      return this.#handle.func(symbol, result, []) as () => number;
    } catch (thrown) {
      const words = `${name.library} has no function ${symbol}`;
      throw pluginFailed(name.id, 'missing_symbol', words, thrown);
    }
  }
}
