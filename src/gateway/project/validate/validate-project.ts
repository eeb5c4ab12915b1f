import { fieldPath, type PathSegment } from '../../../base/json/field-path.ts';
import { marksOf } from '../../../base/json-schema/check-value.ts';
import type { JsonSchema, Schemas } from '../../../base/json-schema/json-schema.ts';
import { rowSchemas } from '../project.ts';
import type { ProjectDraft } from '../project-draft.ts';
import { keywordsOf } from '../shape.ts';
import { type TableName, tableNames } from '../table-names.ts';
import { checkBindings } from './bindings.ts';
import { checkBitOverlaps } from './bit-overlaps.ts';
import { checkDependencyCycles } from './circles.ts';
import { checkCodecs, checkPlugins } from './codecs.ts';
import { checkE2e } from './e2e.ts';
import { checkFaultRules } from './fault-rules.ts';
import { checkMappings } from './mappings.ts';
import { checkEndpoints, checkMessages, checkPdus } from './messages.ts';
import { checkModbusResources } from './modbus-resources.ts';
import { checkMux } from './mux.ts';
import { ProjectLinks } from './project-links.ts';
import { checkSignals, checkWriters } from './signals.ts';
import { checkTxTasks } from './tx-tasks.ts';

type Found = (table: TableName, id: string, at: readonly PathSegment[]) => void;
type Visit = (value: unknown, at: PathSegment[], found: Found) => void;

const visitForms = (schema: JsonSchema): Visit | undefined => {
  const field = schema['x-variant'];
  const visits = new Map<unknown, Visit>();
  for (const form of schema.anyOf ?? []) {
    const visit = compileVisit(form);
    if (!visit) continue;
    // Without a discriminating field, the reference is the only string.
    for (const mark of field === undefined ? [''] : marksOf(form, field)) visits.set(mark, visit);
  }
  if (visits.size === 0) return undefined;
  if (field !== undefined) {
    return (value, at, found) =>
      visits.get((value as Record<string, unknown>)[field])?.(value, at, found);
  }
  return (value, at, found) => {
    if (typeof value === 'string') visits.get('')?.(value, at, found);
  };
};

const visitFields = (properties: Schemas): Visit | undefined => {
  const visits = Object.entries(properties).flatMap(([name, field]) => {
    const visit = compileVisit(field);
    return visit ? [{ name, visit }] : [];
  });
  if (visits.length === 0) return undefined;
  return (value, at, found) => {
    for (const { name, visit } of visits) {
      const held = (value as Record<string, unknown>)[name];
      if (held === undefined) continue;
      at.push(name);
      visit(held, at, found);
      at.pop();
    }
  };
};

/** Compiles a schema into a visitor of the references in a value; undefined if it has none. */
const compileVisit = (schema: JsonSchema): Visit | undefined => {
  const table = schema['x-table'] as TableName | undefined;
  if (table !== undefined) return (value, at, found) => found(table, value as string, at);
  if (schema.anyOf) return visitForms(schema);
  if (schema.properties) return visitFields(schema.properties);
  const visitItem = schema.items && compileVisit(schema.items);
  if (!visitItem) return undefined;
  return (value, at, found) => {
    (value as unknown[]).forEach((item, place) => {
      at.push(place);
      visitItem(item, at, found);
      at.pop();
    });
  };
};

const visits = tableNames.map((name) => ({
  name,
  visit: compileVisit(keywordsOf(rowSchemas[name])),
}));

/** Reports references to missing rows. An invalid row is not missing. */
const checkReferences = (draft: ProjectDraft): void => {
  const at: PathSegment[] = [];
  for (const { name, visit } of visits) {
    draft.tables[name].rows.forEach((row, index) => {
      visit?.(row, at, (table, id, path) => {
        if (draft.tables[table].has(id)) return;
        const error = `must be the id of a row in ${table}; ${JSON.stringify(id)} does not exist`;
        draft.report(name, index, fieldPath(path), 'dangling_reference', error);
      });
    });
  }
};

export const validateProject = (draft: ProjectDraft): void => {
  const links = new ProjectLinks(draft);
  checkReferences(draft);
  checkEndpoints(links);
  checkSignals(links);
  checkWriters(links);
  checkCodecs(links);
  checkMessages(links);
  checkPdus(links);
  checkModbusResources(links);
  checkBindings(links);
  checkMux(links);
  checkBitOverlaps(links);
  checkMappings(links);
  checkDependencyCycles(links);
  checkTxTasks(links);
  checkE2e(links);
  checkFaultRules(links);
  checkPlugins(links);
};
