import { fieldPath, type PathSegment } from '../../base/json/field-path.ts';
import { maxStandardId } from '../../frame/frame.ts';
import { reservedNames } from '../project/instance-name.ts';
import { invalidProject } from '../project/invalid-project.ts';
import type { ProblemCode } from '../project/problem-codes.ts';
import { Problems } from '../project/problems.ts';
import { problemOfRow } from '../project/project-draft.ts';
import { readDocument } from '../project/read-document.ts';
import { compileCheck, keywordsOf } from '../project/shape.ts';
import {
  ManifestHeader,
  ManifestMessage,
  mostMessages,
  type SimulationManifest,
} from './manifest.ts';

const checkHeader = compileCheck(keywordsOf(ManifestHeader));
const checkMessage = compileCheck(keywordsOf(ManifestMessage));

/** Reads the bytes of a manifest, notes what is wrong with it and goes on. */
class ManifestReader {
  readonly problems = new Problems();

  /** The manifest, if there are no problems. */
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
      this.#report(['name'], 'invalid_text', `must not be ${header.name}, which the API needs`);
    }
    return header;
  }

  #messages(list: unknown): ManifestMessage[] {
    const at = ['messages'];
    if (list === undefined) this.#report(at, 'missing_field', 'is required');
    else if (!Array.isArray(list)) this.#report(at, 'wrong_type', 'must be a list');
    else if (list.length === 0) this.#report(at, 'out_of_range', 'must have at least 1');
    else if (list.length > mostMessages) {
      this.#report(at, 'out_of_range', `must have at most ${mostMessages}`);
    } else return this.#checked(list);
    return [];
  }

  #checked(list: readonly unknown[]): ManifestMessage[] {
    const messages: ManifestMessage[] = [];
    const places = new Map<string, number>();
    for (const [index, value] of list.entries()) {
      const at: PathSegment[] = ['messages', index];
      const message = checkMessage(value, at, (...problem) => this.#report(...problem)) as
        | ManifestMessage
        | undefined;
      if (!message) continue;
      messages.push(message);
      const { id, extended } = message;
      if (!extended && id > maxStandardId) {
        const flaw = `must be from 0 to ${maxStandardId} unless extended is true`;
        this.#report([...at, 'id'], 'out_of_range', flaw);
      }
      const key = `${id} ${extended}`;
      const other = places.get(key);
      if (other === undefined) places.set(key, index);
      else this.#report([...at, 'id'], 'duplicate_message', `is that of messages[${other}] too`);
    }
    return messages;
  }

  #report(path: readonly PathSegment[], code: ProblemCode, flaw: string): void {
    const [table, index, ...inRow] = path;
    if (table === 'messages' && typeof index === 'number') {
      this.problems.add(problemOfRow(table, null, index, fieldPath(inRow), code, flaw));
      return;
    }
    const field = fieldPath(path);
    this.#reportFile(field, code, `${field} ${flaw}`);
  }

  #reportFile(field: string, code: ProblemCode, message: string): void {
    this.problems.add({ table: null, row: null, index: null, field, code, message });
  }
}

/** Reads the bytes of a manifest and refuses it unless all of it makes sense; `file` is for errors. */
export const readManifest = (bytes: Uint8Array, file?: string): SimulationManifest => {
  const reader = new ManifestReader();
  const manifest = reader.read(bytes);
  if (manifest) return manifest;
  throw invalidProject('manifest', reader.problems, file);
};
