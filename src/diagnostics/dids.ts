import { type Static, Type } from 'typebox';
import { requireDecimal } from '../base/decimal/decimal.ts';
import { invalidArgument } from '../base/errors/busbar-error.ts';
import type { PathSegment } from '../base/json/field-path.ts';
import { isJsonObject } from '../base/json/json-value.ts';
import { integer, optional, record } from '../base/schema/field-schemas.ts';
import { type FieldProblem, problemAt, schemaProblems } from '../base/schema/schema-problems.ts';
import { suggest } from '../base/suggest.ts';
import { formatHex, hexDigits, parseHex } from '../frame/hex-bytes.ts';
import { readDiagnosticsFile } from './diagnostics-file.ts';
import {
  codecBytes,
  codecError,
  type DidValue,
  LinearDidCodec,
  LinearValue,
} from './linear-did.ts';

/** Bytes of a value that fit a message with its service and identifier. */
export const maxDidBytes = 65_535;
/** Identifiers of a table. */
const maxDids = 4096;

const namePattern = '^[A-Za-z_][A-Za-z0-9_.-]{0,63}$';
const didPattern = /^[0-9A-Fa-f]{4}$/;

const DidDefinition = record({
  name: optional(
    Type.String({
      description: 'Name that requests can use instead of the identifier',
      pattern: namePattern,
      'x-rule': 'must be letters, digits and _ . - and begin with a letter or _',
    }),
  ),
  length: optional(
    integer('Bytes of the value; without it, one that takes the rest', 1, maxDidBytes),
  ),
  codec: optional(
    Type.Union([Type.Enum(['ascii', 'hex']), LinearDidCodec], {
      description: 'Text, bytes, or a linear codec as in a gateway project',
      default: 'hex',
    }),
  ),
});
type DidDefinition = Static<typeof DidDefinition>;

/** `dids` of an ECU, and the content of a file of them. */
export const DidFile = Type.Record(Type.String({ pattern: '^[0-9A-Fa-f]{4}$' }), DidDefinition, {
  description: 'Data identifiers by their four hex digits',
  examples: [{ F190: { name: 'vin', length: 17, codec: 'ascii' } }],
});
export type DidFile = Static<typeof DidFile>;

const definitionProblems = (definition: unknown, at: readonly PathSegment[]): FieldProblem[] => {
  const problems = schemaProblems(DidDefinition, definition, at);
  if (problems.length > 0) return problems;
  const { name, length, codec } = definition as DidDefinition;
  if (name !== undefined && didPattern.test(name)) {
    problems.push(problemAt([...at, 'name'], 'must not be four hex digits, as identifiers are'));
  }
  if (typeof codec === 'object') {
    const error = codecError(codec, length);
    if (error !== null) problems.push(problemAt([...at, 'codec', error.field], error.words));
  }
  return problems;
};

/** Everything wrong with `dids`, each with its field. */
export const didProblems = (file: unknown, at: readonly PathSegment[] = []): FieldProblem[] => {
  if (!isJsonObject(file)) return [problemAt(at, 'must be an object')];
  const entries = Object.entries(file);
  if (entries.length > maxDids) {
    return [problemAt(at, `must have at most ${maxDids} identifiers`)];
  }
  const names = new Set<string>();
  const seen = new Set<string>();
  return entries.flatMap(([did, definition]) => {
    const path = [...at, did];
    if (!didPattern.test(did)) return [problemAt(path, 'must be four hex digits, such as F190')];
    if (seen.has(did.toUpperCase())) return [problemAt(path, 'is defined twice')];
    seen.add(did.toUpperCase());
    const problems = definitionProblems(definition, path);
    const name = isJsonObject(definition) ? definition.name : undefined;
    if (typeof name !== 'string' || problems.length > 0) return problems;
    if (names.has(name)) problems.push(problemAt([...path, 'name'], 'is the name of another'));
    names.add(name);
    return problems;
  });
};

export const readDidFile = (file: Uint8Array): DidFile => readDiagnosticsFile(file, didProblems);

const asText = (bytes: Uint8Array): DidValue => {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  const text = bytes.subarray(0, end);
  if (text.some((byte) => byte < 0x20 || byte > 0x7e)) {
    return { value: null, quality: 'error', label: null };
  }
  return { value: String.fromCharCode(...text), quality: 'good', label: null };
};

/** A data identifier with the codec of its value. */
export class Did {
  readonly did: number;
  readonly name: string | undefined;
  /** Undefined if not known. */
  readonly length: number | undefined;
  readonly #codec: 'ascii' | 'hex' | LinearValue;

  constructor(did: number, { name, length, codec = 'hex' }: DidDefinition = {}) {
    this.did = did;
    this.name = name;
    this.length = typeof codec === 'object' ? (length ?? codecBytes(codec)) : length;
    this.#codec = typeof codec === 'object' ? new LinearValue(codec, this.length as number) : codec;
  }

  /** The identifier as four hex digits. */
  get text(): string {
    return hexDigits(this.did, 4);
  }

  decode(bytes: Uint8Array): DidValue {
    if (this.#codec === 'hex') return { value: formatHex(bytes), quality: 'good', label: null };
    return this.#codec === 'ascii' ? asText(bytes) : this.#codec.decode(bytes);
  }

  /** Throws `invalid_argument` for `field`. */
  encode(value: string, field = 'value'): Uint8Array {
    const bytes = this.#encode(value, field);
    const { length } = this;
    if (length !== undefined && bytes.length !== length) {
      const shown = `${field} has ${bytes.length} ${bytes.length === 1 ? 'byte' : 'bytes'}, but ${this.name ?? this.text} has ${length}`;
      throw invalidArgument(field, shown, { length });
    }
    if (bytes.length === 0) throw invalidArgument(field, `${field} must not be empty`);
    return bytes;
  }

  #encode(value: string, field: string): Uint8Array {
    const codec = this.#codec;
    if (codec === 'hex') return parseHex(value, { field, maxLength: maxDidBytes });
    if (codec instanceof LinearValue) return codec.encode(requireDecimal(value, field), field);
    if (!/^[\x20-\x7e]*$/.test(value)) {
      throw invalidArgument(field, `${field} must be printable ASCII`);
    }
    return Uint8Array.from(value, (character) => character.charCodeAt(0));
  }
}

/** Identifiers of an ECU by number and by name. */
export class DidTable {
  readonly #byNumber = new Map<number, Did>();
  readonly #byName = new Map<string, Did>();

  /** `file` has no problems. */
  constructor(file: DidFile = {}) {
    for (const [text, definition] of Object.entries(file)) {
      const did = new Did(Number.parseInt(text, 16), definition);
      this.#byNumber.set(did.did, did);
      if (did.name !== undefined) this.#byName.set(did.name, did);
    }
  }

  get(did: number): Did | undefined {
    return this.#byNumber.get(did);
  }

  /** Names and lengths by identifier, as data that crosses threads. */
  get names(): ReadonlyMap<number, Pick<DidDefinition, 'name' | 'length'>> {
    const rows = [...this.#byNumber].map(([did, { name, length }]) => {
      const known = {
        ...(name !== undefined && { name }),
        ...(length !== undefined && { length }),
      };
      return [did, known] as const;
    });
    return new Map(rows);
  }

  /** The identifier with this name or these four hex digits, with or without 0x. */
  find(text: string, field = 'did'): Did {
    const named = this.#byName.get(text);
    if (named !== undefined) return named;
    const digits = /^(?:0x)?([0-9A-Fa-f]{4})$/i.exec(text)?.[1];
    if (digits === undefined) {
      const near = suggest(text, [...this.#byName.keys()]);
      const hint =
        near === null ? 'use four hex digits or a name in dids' : `did you mean ${near}?`;
      const message = `No such data identifier: ${text}; ${hint}`;
      throw invalidArgument(field, message);
    }
    const number = Number.parseInt(digits, 16);
    return this.#byNumber.get(number) ?? new Did(number);
  }
}
