import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { ErrorCode } from '../base/errors/table.ts';
import type { FilledArguments } from './defaults.ts';

/**
 * Effect of an operation: observe, act on the bench, or administer the service. It is not an
 * access right.
 */
export type Permission = 'observe' | 'operate' | 'administer';

/** Where an operation runs: CLI process, client thread or bench thread. */
export type Thread = 'cli' | 'client' | 'bench';

/**
 * How the CLI uses the daemon: `none` never, `optional` also answers without one, `required`
 * fails without one, `start` starts one.
 */
export type DaemonUse = 'none' | 'optional' | 'required' | 'start';

export interface ExecutionPolicy {
  readonly place: Thread;
  readonly daemon: DaemonUse;
  readonly streaming: boolean;
}

export type Columns = readonly string[] | Readonly<Record<string, readonly string[]>>;

export interface CliShape {
  readonly words: readonly [string, ...string[]];
  readonly positionals?: readonly string[];
  /** The positional that takes all further words, each `name=value`. */
  readonly rest?: string;
  /** Options that replace a positional: with them, a word `name=value` belongs to the rest. */
  readonly replacedBy?: Readonly<Record<string, string>>;
  /** File paths that the CLI makes absolute. */
  readonly callerPaths?: readonly string[];
  readonly columns?: Columns;
  /** Parameters of the command line only: alternatives to other parameters. */
  readonly only?: readonly string[];
  /** Parameters that the command uses itself, such as an input file. They are not sent. */
  readonly local?: readonly string[];
  readonly alsoOptions?: readonly string[];
  /** Required on the command line only. */
  readonly needs?: readonly string[];
  /** Not available on the command line. */
  readonly except?: readonly string[];
  readonly names?: Readonly<Record<string, string>>;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface HttpBinding {
  readonly method: HttpMethod;
  readonly path: string;
  readonly success: 101 | 200 | 201 | 202;
  readonly mediaType?: string;
  readonly transport?: StreamTransport;
  /** Record of each server-sent event, by event name. */
  readonly events?: TObject;
  readonly bodyName?: string;
  readonly needs?: readonly string[];
  /**
   * JSON Schema keywords for the whole body, such as `oneOf`. Only published; the operation
   * itself returns a better message.
   */
  readonly bodyRule?: object;
  readonly bodyExamples?: BodyExamples;
}

/** Valid bodies. A schema cannot express which fields can be combined. */
export interface BodyExamples {
  readonly short: Readonly<Record<string, unknown>>;
  readonly full: Readonly<Record<string, unknown>>;
}

export const streamTransports = ['sse', 'websocket'] as const;
export type StreamTransport = (typeof streamTransports)[number];

export interface NoHttpBinding {
  readonly none: string;
}

export interface Operation<P extends TProperties = TProperties, R extends TSchema = TSchema> {
  readonly id: string;
  readonly category: string;
  readonly action: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: TObject<P>;
  readonly result: R;
  /** Arguments repeated in the details of every error. */
  readonly kept?: readonly string[];
  /** Errors in addition to those of every command or request (`face-errors.ts`). */
  readonly errors: readonly ErrorCode[];
  readonly cliErrors?: readonly ErrorCode[];
  readonly jobErrors?: readonly ErrorCode[];
  readonly permission: Permission;
  readonly execution: ExecutionPolicy;
  /** The client thread prepares the arguments (`bindPreparation`) before forwarding them. */
  readonly prepared?: true;
  readonly cli: CliShape | null;
  readonly http: HttpBinding | NoHttpBinding;
  readonly examples: readonly string[];
}

interface Declaration<P extends TProperties, R extends TSchema>
  extends Omit<Operation<P, R>, 'category' | 'action' | 'parameters' | 'examples'> {
  readonly parameters?: P;
  readonly examples?: readonly string[];
}

/** Declares an operation. Its id is `category.action`, or one word. */
export const defineOperation = <R extends TSchema, P extends TProperties = Record<never, TSchema>>(
  declaration: Declaration<P, R>,
): Operation<P, R> => {
  const [category = declaration.id, action = ''] = declaration.id.split('.');
  const parameters = Type.Object(declaration.parameters ?? ({} as P), {
    additionalProperties: false,
  });
  return { examples: [], ...declaration, category, action, parameters };
};

export type ArgumentsOf<O> =
  O extends Operation<infer P extends TProperties, TSchema> ? FilledArguments<P> : never;

export type ResultOf<O> =
  O extends Operation<TProperties, infer R extends TSchema> ? Static<R> : never;

export const hasHttp = (http: Operation['http']): http is HttpBinding => 'method' in http;
