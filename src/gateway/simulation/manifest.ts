import { type Static, Type } from 'typebox';
import { fieldPath, type PathSegment } from '../../base/json/field-path.ts';
import { flag, integer, record } from '../../base/schema/field-schemas.ts';
import { maxExtendedId, maxStandardId } from '../../frame/frame.ts';
import { formatHex, parseHex } from '../../frame/hex-bytes.ts';
import { maxCycleUs } from '../../transmit/send-request.ts';
import { instanceNamePattern, reservedNames } from '../project/instance-name.ts';
import { readDocument } from '../project/load-project.ts';
import { invalidProject, type ProblemCode, Problems } from '../project/problems.ts';
import { emptyProject, type Project } from '../project/project.ts';
import { problemOfRow } from '../project/project-draft.ts';
import { compileCheck } from '../project/shape.ts';

export const maxMessages = 256;

const ManifestHeader = record({
  manifest: integer('Version of the format', 1, 1),
  name: Type.String({
    description: 'Name of the simulation',
    pattern: instanceNamePattern,
    'x-rule': 'must be 1 to 64 letters, digits and _ . -',
  }),
  channel: Type.String({
    description: 'Selector of the channel to send on, resolved at each start',
    minLength: 1,
    maxLength: 256,
  }),
});

const ManifestMessage = record({
  id: integer('CAN identifier', 0, maxExtendedId),
  extended: flag('29 bits instead of 11', { default: false }),
  data: Type.String({
    description: 'Payload in hex',
    maxLength: 64,
    pattern: '^[ .:_-]*([0-9A-Fa-f]{2}[ .:_-]*){0,8}$',
    'x-rule': 'must be 0 to 8 bytes of two hexadecimal digits each, such as "DEAD"',
  }),
  period_ms: integer('Milliseconds from one frame to the next', 1, maxCycleUs / 1000),
});
export type ManifestMessage = Static<typeof ManifestMessage>;

export interface SimulationManifest extends Static<typeof ManifestHeader> {
  readonly messages: readonly ManifestMessage[];
}

const checkHeader = compileCheck(ManifestHeader);
const checkMessage = compileCheck(ManifestMessage);

class ManifestReader {
  readonly problems = new Problems();

  read(bytes: Uint8Array): SimulationManifest | undefined {
    const document = readDocument(bytes, this.problems);
    if (!document) return undefined;
    const { messages: list, ...rest } = document.fields;
    const header = this.#header(rest);
    const messages = this.#messages(list);
    for (const path of document.repeated) this.#report(path, 'duplicate_key', 'is given twice');
    return header && this.problems.total === 0 ? { ...header, messages } : undefined;
  }

  #header(fields: object): Omit<SimulationManifest, 'messages'> | undefined {
    const header = checkHeader(fields, [], (...problem) => this.#report(...problem)) as
      | Omit<SimulationManifest, 'messages'>
      | undefined;
    if (header && reservedNames.includes(header.name)) {
      this.#report(['name'], 'invalid_text', `must not be ${header.name}, which the API reserves`);
    }
    return header;
  }

  #messages(list: unknown): ManifestMessage[] {
    const at = ['messages'];
    if (list === undefined) this.#report(at, 'missing_field', 'is required');
    else if (!Array.isArray(list)) this.#report(at, 'wrong_type', 'must be a list');
    else if (list.length === 0) this.#report(at, 'out_of_range', 'must have at least 1');
    else if (list.length > maxMessages) {
      this.#report(at, 'out_of_range', `must have at most ${maxMessages}`);
    } else return this.#checked(list);
    return [];
  }

  #checked(list: readonly unknown[]): ManifestMessage[] {
    const messages: ManifestMessage[] = [];
    const indexByKey = new Map<string, number>();
    for (const [index, value] of list.entries()) {
      const at: PathSegment[] = ['messages', index];
      const message = checkMessage(value, at, (...problem) => this.#report(...problem)) as
        | ManifestMessage
        | undefined;
      if (!message) continue;
      messages.push(message);
      const { id, extended } = message;
      if (!extended && id > maxStandardId) {
        const rule = `must be from 0 to ${maxStandardId} unless extended is true`;
        this.#report([...at, 'id'], 'out_of_range', rule);
      }
      const key = `${id} ${extended}`;
      const other = indexByKey.get(key);
      if (other === undefined) indexByKey.set(key, index);
      else this.#report([...at, 'id'], 'duplicate_message', `is also that of messages[${other}]`);
    }
    return messages;
  }

  #report(path: readonly PathSegment[], code: ProblemCode, message: string): void {
    const [table, index, ...inRow] = path;
    if (table === 'messages' && typeof index === 'number') {
      this.problems.add(problemOfRow(table, null, index, fieldPath(inRow), code, message));
      return;
    }
    const field = fieldPath(path);
    const whole = { table: null, row: null, index: null };
    this.problems.add({ ...whole, field, code, message: `${field} ${message}` });
  }
}

export const readManifest = (bytes: Uint8Array, file?: string): SimulationManifest => {
  const reader = new ManifestReader();
  const manifest = reader.read(bytes);
  if (manifest) return manifest;
  throw invalidProject('manifest', reader.problems, file);
};

export const payloadOf = ({ data }: ManifestMessage): string =>
  formatHex(parseHex(data, { field: 'data', maxLength: 8 }));

const endpoint = 'channel';

/**
 * Compiles a manifest to a project with one periodic task for each message. A payload is one
 * constant in Motorola order, so that the bytes have the order of its digits. The network of
 * the endpoint is the channel selector of the manifest.
 */
export const compileManifest = ({ name, channel, messages }: SimulationManifest): Project => {
  const project = emptyProject();
  project.endpoints.push({ id: endpoint, kind: 'can', network: channel });
  for (let bytes = 1; bytes <= 8; bytes++) {
    project.codecs.push({
      ...{ id: `${bytes}`, kind: 'linear', raw: 'unsigned', bit_length: 8 * bytes },
      ...{ byte_order: 'motorola', factor: 1, offset: 0 },
    });
  }
  for (const [index, message] of messages.entries()) {
    const id = `messages[${index}]`;
    const { id: can_id, extended, period_ms } = message;
    const payload = payloadOf(message);
    const length = payload.length / 2;
    project.messages.push({
      ...{ id, endpoint, direction: 'tx', can_id, extended, fd: false, brs: false },
      ...{ length, period_ms, fill: 0 },
    });
    project.tx_tasks.push({ id, message: id, mode: 'value' });
    if (length === 0) continue;
    const initial = BigInt(`0x${payload}`).toString();
    project.signals.push({ id, type: 'uint64', producer: 'constant', initial });
    project.bindings.push({
      ...{ id, signal: id, direction: 'tx', message: id, codec: `${length}`, start_bit: 7 },
    });
  }
  return { ...project, header: { ...project.header, id: name } };
};
