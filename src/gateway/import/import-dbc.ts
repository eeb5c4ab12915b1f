import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { nameError } from '../../bench/name-rule.ts';
import { sourceOf } from '../../database/j1939.ts';
import type { Database, Message } from '../../database/model.ts';
import { dlcToLength, lengthToDlc, maxClassicLength, maxFdLength } from '../../frame/dlc.ts';
import { emptyProject, type ImportDefault, type Project } from '../project/project.ts';
import type { MessageRow } from '../project/tables/messages.ts';
import type { TxTaskRow } from '../project/tables/tx-tasks.ts';
import { type Cycle, type CycleOptions, CycleRules } from './cycle-rules.ts';
import { ImportNotes } from './import-notes.ts';
import type { ImportNote } from './import-record.ts';
import { MessageSignals } from './message-signals.ts';
import { commentOf, networkId, rowNames } from './row-names.ts';

/** Source address in J1939 identifiers that means any source. */
const anySource = 0xfe;

/** Returns why a message is not a single frame with one identifier; null if it is. */
const frameError = ({ length, fd, pgn, id }: Message): string | null => {
  if (length > maxFdLength) return `has ${length} bytes, more than a frame can hold`;
  if (!fd && length > maxClassicLength) return `has ${length} bytes, which take several frames`;
  if (pgn !== undefined && sourceOf(id) === anySource) {
    return 'is a J1939 parameter group of any source address, and has no identifier of its own';
  }
  return null;
};

/** Returns the frame length of a message: senders pad to the next valid length. */
const frameLength = (length: number): number => dlcToLength(lengthToDlc(length, true), true);

export interface ImportOptions extends CycleOptions {
  readonly network: string;
  readonly file: string;
  readonly sha256: string;
}

export interface ImportedDatabase {
  readonly project: Project;
  /** Values that the file did not contain. They are also in the provenance of the project. */
  readonly defaults: readonly ImportDefault[];
  readonly omitted: readonly ImportNote[];
}

class DatabaseImport {
  readonly #options: ImportOptions;
  readonly #notes = new ImportNotes();
  readonly #cycles: CycleRules;
  readonly #endpoint: string;
  readonly #project = emptyProject();
  readonly #owners = new Map<string, string>();

  constructor(options: ImportOptions) {
    this.#options = options;
    this.#cycles = new CycleRules(options);
    this.#endpoint = networkId(options.network);
  }

  run({ messages }: Database): ImportedDatabase {
    const names = rowNames(messages.map(({ name, sharedName = name }) => sharedName));
    messages.forEach((message, index) => {
      this.#addMessage(message, `${this.#endpoint}.${names[index]}`);
    });
    this.#notes.assertNoneRefused();
    if (this.#project.messages.length === 0) this.#refuseNothing();
    this.#cycles.assertComplete();
    const { network, direction, file, sha256 } = this.#options;
    const { defaults } = this.#cycles;
    this.#project.endpoints.push({ id: this.#endpoint, kind: 'can', network });
    this.#project.header.provenance.push({
      kind: 'dbc',
      file,
      sha256,
      network,
      direction,
      defaults,
    });
    return { project: this.#project, defaults, omitted: this.#notes.omitted };
  }

  #addMessage(message: Message, id: string): void {
    const error = frameError(message);
    if (error !== null) {
      this.#notes.omit(message.name, null, error);
      return;
    }
    this.#claimIdentifier(message);
    const { direction } = this.#options;
    const cycle = this.#cycles.cycleOf(id, message.name, message.cycleTimeMs);
    if (typeof cycle === 'string') {
      this.#notes.refuse(message.name, null, cycle);
      return;
    }
    this.#project.messages.push(this.#messageRow(message, id, cycle));
    for (const rows of new MessageSignals(message, id, direction, this.#notes).build()) {
      this.#project.signals.push(rows.signal);
      this.#project.codecs.push(rows.codec);
      this.#project.bindings.push(rows.binding);
    }
    if (direction === 'tx') this.#project.tx_tasks.push(taskOf(id, cycle));
  }

  #claimIdentifier({ id, extended, name }: Message): void {
    const key = `${id} ${extended}`;
    const owner = this.#owners.get(key);
    if (owner === undefined) this.#owners.set(key, name);
    else this.#notes.refuse(name, null, `has the identifier of ${owner}`);
  }

  #messageRow(message: Message, id: string, { isOnChange: _, ...cycle }: Cycle): MessageRow {
    const length = frameLength(message.length);
    if (length !== message.length) {
      const rule = `The next length of a CAN FD frame after ${message.length}`;
      this.#cycles.defaults.push({ message: id, field: 'length', value: length, rule });
    }
    return {
      id,
      endpoint: this.#endpoint,
      direction: this.#options.direction,
      can_id: message.id,
      extended: message.extended,
      fd: message.fd,
      brs: message.brs,
      length,
      ...cycle,
      fill: 0,
      ...commentOf(message, id),
    };
  }

  #refuseNothing(): void {
    const { omitted } = this.#notes;
    const [first] = omitted;
    const why = first === undefined ? '' : `: ${first.message} ${first.reason}`;
    throw new BusbarError('invalid_database', {
      message: `The file has no message to import${why}`,
      details: { field: 'file', problems: omitted.slice(0, 200), total: omitted.length },
    });
  }
}

const taskOf = (id: string, { isOnChange }: Cycle): TxTaskRow => ({
  id,
  message: id,
  ...(isOnChange ? { policy: 'on_change' as const } : {}),
  mode: 'value',
});

/**
 * Imports the messages of a database, all as received or all as sent. A value missing from the
 * file is taken from an option and noted, or the import is rejected.
 */
export const importDbc = (database: Database, options: ImportOptions): ImportedDatabase => {
  const error = nameError(options.network);
  if (error !== null) throw invalidArgument('network', `network ${error}`);
  return new DatabaseImport(options).run(database);
};
