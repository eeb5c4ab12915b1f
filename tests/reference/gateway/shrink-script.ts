import {
  type BindingRow,
  type E2eRow,
  frameBindingsOf,
  registerBindingsOf,
  type Tables,
  type TaskRow,
  tablesOf,
} from './project.ts';
import type { Script, ScriptEvent } from './script.ts';

/** Starts and stops alternate: an engine need not handle anything else. */
const areInTurn = (events: readonly ScriptEvent[]): boolean => {
  const kinds = events
    .map(({ kind }) => kind)
    .filter((kind) => kind === 'start' || kind === 'stop');
  return kinds.every((kind, place) => kind === (place % 2 === 0 ? 'start' : 'stop'));
};

/** Removes events while the condition holds, from large parts to small ones. */
const shrinkEvents = (script: Script, isWanted: (script: Script) => boolean): Script => {
  let events: readonly ScriptEvent[] = script.events;
  for (let size = Math.ceil(events.length / 2); size >= 1; size = Math.floor(size / 2)) {
    // The first event is the start, which must remain.
    for (let at = 1; at < events.length; ) {
      const fewer = [...events.slice(0, at), ...events.slice(at + size)];
      if (areInTurn(fewer) && isWanted({ ...script, events: fewer })) events = fewer;
      else at += size;
    }
  }
  return { ...script, events };
};

/** A project without a fault rule. */
const withoutRule = (tables: Tables, id: string): Tables => ({
  ...tables,
  fault_rules: tables.fault_rules.filter((rule) => rule.id !== id),
});

/** A project without unbound resources, and without tasks that have none left. */
const withoutUnbound = (tables: Tables): Tables => {
  const used = new Set(
    registerBindingsOf(tables).flatMap(({ resource, validity_bit }) => [resource, validity_bit]),
  );
  const tasks = tables.tx_tasks.flatMap((task): TaskRow[] => {
    if (task.resources === undefined) return [task];
    const resources = task.resources.filter((id) => used.has(id));
    return resources.length === 0 ? [] : [{ ...task, resources }];
  });
  const resources = tables.modbus_resources.filter(({ id }) => used.has(id));
  return { ...tables, modbus_resources: resources, tx_tasks: tasks };
};

/** A project without the bindings and validity bits of some resources. */
const withoutResources = (tables: Tables, ids: readonly string[]): Tables => {
  const bindings = tables.bindings.flatMap((binding): BindingRow[] => {
    if (binding.resource === undefined) return [binding];
    if (ids.includes(binding.resource)) return [];
    const { validity_bit, ...rest } = binding;
    return [validity_bit !== undefined && ids.includes(validity_bit) ? rest : binding];
  });
  return withoutUnbound({ ...tables, bindings });
};

/** A project without a task, and without everything that only the task needs. */
const withoutTask = (tables: Tables, id: string): Tables => {
  const task = tables.tx_tasks.find((row) => row.id === id);
  if (task === undefined) return tables;
  if (task.resources !== undefined) return withoutResources(tables, task.resources);
  const pdus = tables.pdus.filter((pdu) => pdu.message === task.message);
  const isOthers = (row: E2eRow | BindingRow): boolean =>
    ('resource' in row && row.resource !== undefined) ||
    (row.message !== task.message && !pdus.some((pdu) => pdu.id === row.pdu));
  return {
    ...tables,
    messages: tables.messages.filter((message) => message.id !== task.message),
    pdus: tables.pdus.filter((pdu) => !pdus.includes(pdu)),
    bindings: tables.bindings.filter(isOthers),
    e2e: tables.e2e.filter(isOthers),
    tx_tasks: tables.tx_tasks.filter((row) => row !== task),
    fault_rules: tables.fault_rules.filter((rule) => rule.task !== id),
  };
};

/** A project without a binding. */
const withoutBinding = (tables: Tables, id: string): Tables =>
  withoutUnbound({
    ...tables,
    bindings: tables.bindings.filter((binding) => binding.id !== id),
  });

const shrinkProject = (script: Script, isWanted: (script: Script) => boolean): Script => {
  let shrunk = script;
  const attempt = (smaller: (tables: Tables) => Tables): void => {
    const project = { ...shrunk.project, ...smaller(tablesOf(shrunk.project)) };
    if (isWanted({ ...shrunk, project })) shrunk = { ...shrunk, project };
  };
  const tables = tablesOf(script.project);
  const { tx_tasks, fault_rules, bindings } = tables;
  for (const { id } of tx_tasks) attempt((rest) => withoutTask(rest, id));
  for (const { id } of fault_rules) attempt((rest) => withoutRule(rest, id));
  for (const { id, direction } of bindings) {
    const isSelector = frameBindingsOf(tables).some(({ mux }) => mux?.selector === id);
    if (direction === 'tx' && !isSelector) attempt((rest) => withoutBinding(rest, id));
  }
  return shrunk;
};

/**
 * A shorter script of which the same can be said, such as that two engines differ on it. The
 * project stays valid; what nothing uses any more may remain. Beware of the order of events that no
 * rounds part any more: a random script has rounds around the loss of a channel and before
 * snapshots, so that a reader need not care which of two events came first.
 */
export const shrinkScript = (script: Script, isWanted: (script: Script) => boolean): Script =>
  shrinkEvents(shrinkProject(shrinkEvents(script, isWanted), isWanted), isWanted);
