import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { named, nullable, recordCodes } from '../../src/base/schema/schemas.ts';
import { taskErrorMessages } from '../../src/gateway/values/task-error.ts';
import { hasHttp } from '../../src/operations/define.ts';
import { operations } from '../../src/operations/registry.ts';
import { renderOpenApi } from '../../src/operations/render/openapi.ts';
import { partList } from '../../src/operations/testing/sample-operations.ts';
import { recordCodesOf, renderReference } from './operation-pages.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Paths of all fields named `code`; numbers are codes of a protocol. */
const codesIn = (node: unknown, path: string): (readonly [path: string, schema: Schema])[] => {
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, inner]) => [
    ...(key === 'properties' && (inner as Schema).code
      ? [[`${path}.code`, (inner as Schema).code as Schema] as const]
      : []),
    ...codesIn(inner, `${path}/${key}`),
  ]);
};

describe('codes in records', () => {
  it('are found with the fields that hold them', () => {
    const Fault = recordCodes('Fault', { worn: 'It is worn', lost: 'It is lost' });
    const Part = named(
      'Part',
      Type.Object({
        error: nullable(Type.Object({ code: Fault })),
        wheels: Type.Array(Type.Object({ properties: Type.Object({ fault: Fault }) })),
      }),
    );
    const result = Type.Object({ parts: Type.Array(Part), spare: Part, worst: Fault });
    expect(recordCodesOf([{ ...partList, result }])).toEqual([
      {
        name: 'Fault',
        meanings: { worn: 'It is worn', lost: 'It is lost' },
        fields: ['Part.error.code', 'Part.wheels[].properties.fault', `${partList.id}.worst`],
      },
    ]);
  });

  it('are types of the API document, none of them any text', () => {
    const document = renderOpenApi(operations, { version: '0', contract: '0' });
    const found = codesIn(document.components, '');
    expect(found.length).toBeGreaterThan(8);
    const untyped = found.filter(
      ([, schema]) => schema.type !== 'integer' && !('$ref' in schema) && !('enum' in schema),
    );
    expect(untyped).toEqual([]);
    const { schemas } = document.components as { schemas: Record<string, Schema> };
    expect(schemas.GatewayTaskErrorCode).toMatchObject({ enum: Object.keys(taskErrorMessages) });
    expect(schemas.GatewaySignalErrorCode?.enum).toContain('transform_error');
    expect(schemas.GatewaySignalErrorCode?.enum).not.toContain('good');
  });

  it('are rows of their own page', () => {
    const page = renderReference(operations)['record-codes.md'] ?? '';
    const declared = recordCodesOf(operations);
    expect(declared.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        ...['DatabaseDiagnosticCode', 'GatewayEncodingErrorCode', 'GatewayQuality'],
        ...['GatewaySignalErrorCode', 'GatewayTaskErrorCode', 'RemoteForwardingFailure'],
      ]),
    );
    for (const { name, meanings } of declared) {
      const section = page.split(`## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
      for (const [code, meaning] of Object.entries(meanings)) {
        expect(section, name).toContain(`| \`${code}\` | ${meaning} |`);
      }
    }
  });
});

describe('the pages of operations', () => {
  const pages = renderReference(operations);
  const described = Object.entries(pages).filter(([name]) => name.startsWith('operations/'));

  it('have one section for every operation, with its endpoint', () => {
    const sections = described.flatMap(([, text]) => text.split('\n## ').slice(1));
    expect(sections).toHaveLength(operations.length);
    for (const { id, http } of operations) {
      const section = sections.filter((each) => each.includes(`Operation \`${id}\`,`));
      expect(section, id).toHaveLength(1);
      if (hasHttp(http)) expect(section[0], id).toContain(`${http.method} ${http.path}`);
    }
  });

  it('are linked from the lists of commands and endpoints', () => {
    const { 'cli.md': cli = '', 'http.md': http = '' } = pages;
    const endpoints = operations.filter((each) => hasHttp(each.http));
    const commands = operations.filter((each) => each.cli !== null);
    expect(cli.match(/\(operations\//g)).toHaveLength(commands.length);
    expect(http.match(/\(operations\//g)).toHaveLength(endpoints.length);
    expect(cli).toContain('[`busbar web start`](operations/daemon.md#web-start)');
    expect(http).toContain(
      '[`GET /api/v1/messages/ws`](operations/message.md#get-apiv1messagesws)',
    );
  });

  it('describe a parameter as an option and as a field, or as one of them', () => {
    const page = pages['operations/message.md'] ?? '';
    expect(page).toContain('| `--count=<count>` | `count` in body |');
    expect(page).toContain('| `--file=<path>\\|-` |  |');
    expect(page).not.toMatch(/^\| {2}\| {2}\|/m);
  });

  it('refuse an operation that no page contains', () => {
    expect(() => renderReference([partList])).toThrow('no page for');
  });
});
