import { type Code, unsigned } from './instructions.ts';

export interface WasmMemory {
  /** Replaced when the memory grows. */
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** What is used of WebAssembly; the types of Node do not have it. */
interface WebAssemblyApi {
  readonly Memory: new (limits: { readonly initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly m: { readonly memory: WasmMemory } },
  ) => { readonly exports: { readonly run: unknown } };
}

const { WebAssembly: api } = globalThis as unknown as { WebAssembly: WebAssemblyApi };

export const wasmPageBytes = 65_536;

export const newWasmMemory = (bytes: number): WasmMemory =>
  new api.Memory({ initial: Math.ceil(bytes / wasmPageBytes) });

const valueType = { i32: 0x7f, i64: 0x7e, f64: 0x7c } as const;

/** A function of integers that returns one; locals follow its parameters. */
export interface WasmFunction {
  readonly parameters: number;
  readonly integers: number;
  readonly longs?: number;
  readonly doubles?: number;
  readonly body: Code;
}

const sections = { types: 1, imports: 2, functions: 3, exports: 7, code: 10 } as const;
const functionType = 0x60;
const functionKind = 0x00;
const memoryKind = 0x02;
const endOfCode = 0x0b;

const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content];
const nameOf = (text: string): Code => [...unsigned(text.length), ...Buffer.from(text)];

const bytesOf = (source: WasmFunction): Uint8Array => {
  const { parameters, integers, longs = 0, doubles = 0, body } = source;
  const { i32, i64, f64 } = valueType;
  const taken = new Array<number>(parameters).fill(i32);
  const groups = [integers, i32, longs, i64, doubles, f64];
  const locals = [3, ...groups.flatMap(unsigned)];
  const code = [...locals, ...body, endOfCode];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(sections.types, [1, functionType, parameters, ...taken, 1, i32]),
    ...section(sections.imports, [1, ...nameOf('m'), ...nameOf('memory'), memoryKind, 0, 1]),
    ...section(sections.functions, [1, 0]),
    ...section(sections.exports, [1, ...nameOf('run'), functionKind, 0]),
    ...section(sections.code, [1, ...unsigned(code.length), ...code]),
  ]);
};

/** Compiles a function once, for any number of memories. */
export const compileFunction = <F>(source: WasmFunction): ((memory: WasmMemory) => F) => {
  let module: object | undefined;
  return (memory) => {
    module ??= new api.Module(bytesOf(source));
    return new api.Instance(module, { m: { memory } }).exports.run as F;
  };
};
