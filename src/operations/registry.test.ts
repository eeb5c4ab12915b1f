import { describe, expect, it } from 'vitest';
import { isErrorCode } from '../base/errors/table.ts';
import { hasHttp, type Operation } from './define.ts';
import { pathParameters } from './http-parameters.ts';
import { operations } from './registry.ts';
import { commandParameters, optionOf } from './render/usage.ts';
import { validateArguments } from './validate.ts';

interface ParameterSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly 'x-reserved'?: readonly string[];
}

const schemaOf = (operation: Operation, name: string): ParameterSchema =>
  operation.parameters.properties[name] as ParameterSchema;

const namesOf = (operation: Operation): string[] => Object.keys(operation.parameters.properties);

/** Arguments that match as far as the examples show. */
const exampleArguments = (operation: Operation): Record<string, unknown> =>
  Object.fromEntries(
    (operation.parameters.required ?? []).map((name: string) => [
      name,
      schemaOf(operation, name).examples?.[0],
    ]),
  );

const repeated = (texts: readonly string[]): string[] =>
  texts.filter((text, index) => texts.indexOf(text) !== index);

describe('the operations table', () => {
  it('names every operation, command and resource once', () => {
    const bindings = operations.flatMap(({ http }) =>
      hasHttp(http) ? [`${http.method} ${http.path.replaceAll(/\{\w+\}/g, '{}')}`] : [],
    );
    const commands = operations.flatMap(({ cli }) => (cli ? [cli.words.join(' ')] : []));
    expect(repeated(operations.map(({ id }) => id))).toEqual([]);
    expect(repeated(commands)).toEqual([]);
    expect(repeated(bindings)).toEqual([]);
  });

  it('has no fixed path that hides a resource of that name', () => {
    const bound = operations.flatMap((operation) =>
      hasHttp(operation.http) ? [{ operation, ...operation.http }] : [],
    );
    const isReserved = (operation: Operation, segment: string, word: string): boolean =>
      segment.startsWith('{') &&
      (schemaOf(operation, segment.slice(1, -1))['x-reserved']?.includes(word) ?? false);
    const hidden = bound.flatMap(({ operation, path }) => {
      const template = path.split('/');
      return bound.flatMap((other) => {
        const fixed = other.path.split('/');
        const stands = (segment: string, index: number): boolean =>
          segment === fixed[index] || segment.startsWith('{');
        if (other.path === path || fixed.length !== template.length) return [];
        if (!template.every(stands)) return [];
        const isReported = template.some((segment, index) =>
          isReserved(operation, segment, fixed[index] ?? ''),
        );
        return isReported ? [] : [`${other.path} hides ${path}`];
      });
    });
    expect(hidden).toEqual([]);
  });

  it('says that the bench can be wrong wherever networks are looked up in it', () => {
    const lacking = operations.filter(
      ({ errors }) => errors.includes('network_unbound') && !errors.includes('invalid_bench'),
    );
    expect(lacking.map(({ id }) => id)).toEqual([]);
    // Instances are named after the bench if their projects have no id.
    const named = ['gateway.load', 'simulation.load'];
    const loads = operations.filter(({ id }) => named.includes(id));
    expect(loads.map(({ errors }) => errors.includes('invalid_bench'))).toEqual([true, true]);
  });

  it('has no command whose words begin another one, which would make its arguments ambiguous', () => {
    const commands = operations.flatMap(({ cli }) => (cli ? [cli.words.join(' ')] : []));
    const prefixes = commands.filter((one) => commands.some((two) => two.startsWith(`${one} `)));
    expect(prefixes).toEqual([]);
  });

  describe.each(operations.map((operation) => ({ id: operation.id, operation })))(
    '$id',
    ({ operation }) => {
      it('is named by its category and action, and so is its command', () => {
        expect(operation.id).toMatch(/^[a-z][a-z0-9]*(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)?$/);
        const [category = '', action] = operation.id.split('.');
        const words = action === undefined ? [category] : [category, action];
        // An action with several words forms several words of its command, unless another command
        // begins with them.
        if (operation.cli)
          expect([
            words,
            words.flatMap((word, at) => (at === 0 ? [word] : word.split('-'))),
          ]).toContainEqual(operation.cli.words);
      });

      it('says what it does in a line that other text can go on from', () => {
        expect(operation.summary).toMatch(/^[A-Z].*[^.\s]$/);
        if (operation.description) expect(operation.description).toMatch(/\.$/);
      });

      it('describes every parameter', () => {
        for (const name of namesOf(operation)) {
          expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z]+)*$/);
          expect(schemaOf(operation, name).description, name).toMatch(/^[A-Z].*[^.\s]$/);
        }
      });

      it('has defaults and examples that it would accept itself', () => {
        const base = exampleArguments(operation);
        expect(() => validateArguments(operation, base)).not.toThrow();
        for (const name of namesOf(operation)) {
          const { default: filled, examples = [] } = schemaOf(operation, name);
          const values = filled === undefined ? examples : [filled, ...examples];
          for (const value of values) {
            expect(() => validateArguments(operation, { ...base, [name]: value })).not.toThrow();
          }
        }
      });

      it('declares only parameters that exist', () => {
        const { cli, http } = operation;
        const path = hasHttp(http) ? http.path : '';
        const inPath = pathParameters(path);
        const used = [...(cli?.positionals ?? []), ...(cli?.callerPaths ?? []), ...inPath];
        expect(used.filter((name) => !namesOf(operation).includes(name))).toEqual([]);
        expect(inPath).toHaveLength(path.split('{').length - 1);
      });

      it('needs every parameter of its path, and no positional behind an optional one', () => {
        const required: readonly string[] = operation.parameters.required ?? [];
        if (hasHttp(operation.http)) {
          for (const name of pathParameters(operation.http.path)) expect(required).toContain(name);
        }
        const needs = (operation.cli?.positionals ?? []).map((name) => required.includes(name));
        expect(needs).toEqual([...needs].sort((a, b) => Number(b) - Number(a)));
      });

      it('needs only what its command line has', () => {
        const known = commandParameters(operation);
        expect((operation.cli?.needs ?? []).filter((name) => !known.includes(name))).toEqual([]);
      });

      it('does not take a global option for itself', () => {
        const own = commandParameters(operation).map((name) => optionOf(operation, name));
        expect(own.filter((name) => ['--format', '--project', '--help'].includes(name))).toEqual(
          [],
        );
      });

      it('fails with codes of the table only', () => {
        expect(operation.errors.filter((code) => !isErrorCode(code))).toEqual([]);
        expect(repeated(operation.errors)).toEqual([]);
      });

      it('is bound to HTTP under a version, or says why it is not', () => {
        const { http } = operation;
        if (hasHttp(http)) expect(http.path).toMatch(/^\/(api\/v1\/[^?#]+|metrics)$/);
        else expect(http.none).toMatch(/^[A-Z].*[^.\s]$/);
      });

      it('can be reached over some face', () => {
        expect(operation.cli !== null || hasHttp(operation.http)).toBe(true);
        if (operation.execution.place !== 'cli') {
          expect(operation.execution.daemon).not.toBe('none');
        }
      });

      it('shows itself in its examples', () => {
        for (const example of operation.examples) {
          expect(example).toContain(`busbar ${operation.cli?.words.join(' ')}`);
        }
      });
    },
  );

  it('lets only its own machine govern the service', () => {
    const governing = operations.filter(({ permission }) => permission === 'administer');
    expect(governing.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['daemon.stop', 'web.start', 'web.stop']),
    );
    expect(governing.filter(({ http }) => hasHttp(http))).toEqual([]);
  });
});
