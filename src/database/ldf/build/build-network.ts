import type { LinNetwork, LinSlave } from '../../lin-model.ts';
import type { Database, Message } from '../../model.ts';
import { type FileProblems, shown } from '../../text/problems.ts';
import type {
  Draft,
  DraftEventFrame,
  DraftFrame,
  DraftSignal,
  DraftTable,
  Reference,
} from '../read/draft.ts';
import { FrameBuilder, standardDiagnostics } from './build-frames.ts';
import { buildSchedules } from './build-schedules.ts';
import { SlaveBuilder } from './build-slaves.ts';
import { ValueBuilder } from './build-values.ts';
import { checksumOf } from './checksum-model.ts';
import { Names } from './names.ts';
import { type LinVersion, newestVersion, versionOf } from './version.ts';

const checkedVersion = (text: string | null, problems: FileProblems): LinVersion => {
  const version = text === null ? null : versionOf(text);
  if (text !== null && version === null) {
    problems.warn(
      'version_unknown',
      0,
      `The LIN version ${shown(text)} is not known`,
      'treated as 2.2',
    );
  }
  return version ?? newestVersion;
};

const isWithId = (entry: Reference): entry is DraftFrame | DraftEventFrame => 'id' in entry;

/** Rejects a file with two frames of one identifier: received data would have two meanings. */
const checkIds = (frames: Iterable<Reference>, problems: FileProblems): void => {
  const names = new Map<number, string>();
  for (const frame of frames) {
    if (!isWithId(frame)) continue;
    const other = names.get(frame.id);
    if (other !== undefined) {
      problems.refuse(
        frame.at,
        `frames ${shown(other)} and ${shown(frame.name)} have the identifier ${frame.id}`,
      );
    }
    names.set(frame.id, frame.name);
  }
};

export type LdfDatabase = Database<null> & { readonly lin: LinNetwork };

export const buildNetwork = (draft: Draft, problems: FileProblems): LdfDatabase => {
  const protocol = checkedVersion(draft.protocolVersion, problems);
  const language = checkedVersion(draft.languageVersion ?? draft.protocolVersion, problems);
  const master = draft.master?.name ?? null;
  if (draft.master === null) {
    problems.warn('master_missing', 0, 'The file names no master', 'kept');
  }
  const slaveNames = new Names<Reference>('slave', problems).add(draft.slaves);
  const signals = new Names<DraftSignal>('signal', problems)
    .addUnique(draft.signals)
    .addUnique(draft.diagnosticSignals);
  const frames = new Names<Reference>('frame', problems)
    .addUnique(draft.frames)
    .addUnique(draft.eventFrames)
    .addUnique(draft.sporadicFrames)
    .addUnique(draft.diagnosticFrames);
  checkIds(frames.all, problems);
  const tables = new Names<DraftTable>('schedule table', problems).add(draft.tables);

  const findNode = (reference: Reference): string | null =>
    reference.name === master ? master : (slaveNames.find(reference)?.name ?? null);
  const slaves = new SlaveBuilder(draft, { signals, frames }, protocol, problems).build(
    slaveNames.all,
    master,
  );
  const slaveOf = new Map<string, LinSlave>(slaves.map((slave) => [slave.name, slave]));
  const cluster = { master, slaves: slaveOf, protocol };

  const builder = new FrameBuilder({
    signals,
    nodes: { master, find: findNode },
    values: new ValueBuilder(draft, signals, problems),
    language,
    checksum: (publisher, own) =>
      checksumOf(
        cluster,
        publisher,
        own.flatMap(({ receivers }) => receivers),
      ),
    problems,
  });
  const unconditional = draft.frames.map((frame) => builder.unconditional(frame));
  const byName = new Map(unconditional.map((message) => [message.name, message]));

  /** Names of unconditional frames; other ones are reported and omitted. */
  const members = (references: readonly Reference[]): Message[] => {
    const found = new Set<Message>();
    for (const { at, name } of references) {
      const message = byName.get(name);
      if (message !== undefined) found.add(message);
      else {
        const text = `There is no unconditional frame ${shown(name)}`;
        problems.warn('reference_unknown', at, text, 'reference ignored');
      }
    }
    return [...found];
  };

  const events = draft.eventFrames.map((frame) => {
    const table = frame.table === null ? null : tables.find(frame.table);
    return builder.eventTriggered(frame, members(frame.frames), table?.name ?? null);
  });
  const sporadicFrames = draft.sporadicFrames.map(({ name, frames: own }) => ({
    name,
    frames: members(own).map((message) => message.name),
  }));
  const sporadicNames = new Set(sporadicFrames.map(({ name }) => name));
  const scheduleTables = buildSchedules(
    tables.all,
    draft.master?.timeBaseMs ?? null,
    {
      findNode: (reference) => slaveNames.find(reference)?.name ?? null,
      findFrame: (reference) => frames.find(reference)?.name ?? null,
      isSporadic: (name) => sporadicNames.has(name),
    },
    problems,
  );
  const diagnostics = draft.diagnosticFrames.map((frame) => builder.diagnostic(frame));
  const taken = new Set([...unconditional, ...events, ...diagnostics].map(({ id }) => id));
  const isUsed = scheduleTables.some(({ entries }) =>
    entries.some(({ command }) => command.kind !== 'frame' && command.kind !== 'sporadic'),
  );
  const assumed = (isUsed ? standardDiagnostics(master) : []).filter(
    ({ id, name }) => !taken.has(id) && frames.get(name) === undefined,
  );

  return {
    format: 'ldf',
    version: draft.protocolVersion,
    comment: null,
    nodes: [...(master === null ? [] : [master]), ...slaveOf.keys()].map((name) => ({
      name,
      comment: null,
      attributes: {},
    })),
    messages: [...unconditional, ...events, ...diagnostics, ...assumed],
    valueTables: [],
    attributes: {},
    specifics: null,
    lin: {
      protocolVersion: draft.protocolVersion,
      languageVersion: draft.languageVersion,
      bitRate: draft.bitRate,
      channelName: draft.channelName,
      master,
      timeBaseMs: draft.master?.timeBaseMs ?? null,
      jitterMs: draft.master?.jitterMs ?? null,
      slaves,
      sporadicFrames,
      scheduleTables,
    },
  };
};
