import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { ErrorCode } from '../base/errors/table.ts';
import type { FilledArguments } from './defaults.ts';

/** What an operation does: look, act on the bench, or govern the service itself. It is no right that callers have. */
export type Permission = 'observe' | 'operate' | 'administer';

/** Where an operation runs: in the CLI process, in the client thread or in the bench thread. */
export type Place = 'cli' | 'client' | 'bench';

/**
 * What the CLI does about the daemon: `none` never asks it, `optional` answers without one,
 * `required` fails without one, `start` brings one up first.
 */
export type DaemonNeed = 'none' | 'optional' | 'required' | 'start';

export interface ExecutionPolicy {
  readonly place: Place;
  readonly daemon: DaemonNeed;
  /** Many answers to one call instead of one. */
  readonly streaming: boolean;
}

/** Fields as dotted paths, by the name of their list where a result has several. */
export type Columns = readonly string[] | Readonly<Record<string, readonly string[]>>;

export interface CliShape {
  /** The words that name the command, such as `web start`. */
  readonly words: readonly [string, ...string[]];
  /** Parameters given by position instead of as `--option`. */
  readonly positionals?: readonly string[];
  /** Path parameters that the CLI makes absolute from its own working directory. */
  readonly callerPaths?: readonly string[];
  /** Fields that the list in a result shows as text; all if this is left out. */
  readonly columns?: Columns;
  /** Parameters that only the command line has: other ways to say what the rest can say too. */
  readonly only?: readonly string[];
  /**
   * Parameters that only the command itself knows, such as a file that it reads: it makes others of
   * them, or uses them to print, and the daemon refuses them.
   */
  readonly local?: readonly string[];
  /** Positionals that may be given as options as well. */
  readonly alsoOptions?: readonly string[];
  /** Parameters that the command line cannot do without, although a request can. */
  readonly needs?: readonly string[];
  /** Parameters that the command line does not have: it says the same in another way, or always. */
  readonly except?: readonly string[];
  /** Options that are called otherwise than their parameters, such as one of a list by its singular. */
  readonly names?: Readonly<Record<string, string>>;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface HttpBinding {
  readonly method: HttpMethod;
  /** Path template; `{name}` segments are parameters. */
  readonly path: string;
  readonly success: 101 | 200 | 201 | 202;
  /** Set where the answer is not JSON. */
  readonly mediaType?: string;
  /** Set where the answer goes on and on: how it is carried. */
  readonly transport?: StreamTransport;
  /** Set for server-sent events whose data are records: these, by the names of the events. */
  readonly events?: TObject;
  /** Name of the request body's schema among the components of the OpenAPI document. */
  readonly bodyName?: string;
  /** Parameters that a request cannot do without, although the command line can. */
  readonly needs?: readonly string[];
  /**
   * What else a body has to be as a whole, as keywords of JSON Schema such as `oneOf`. Published
   * only: who carries out the operation refuses with more to say than a schema has.
   */
  readonly bodyRule?: object;
  readonly bodyExamples?: BodyExamples;
}

/** Bodies that the service takes as they are: a schema cannot tell which fields go together. */
export interface BodyExamples {
  /** What it takes at least to do something useful. */
  readonly short: Readonly<Record<string, unknown>>;
  /** As many fields as go together. */
  readonly full: Readonly<Record<string, unknown>>;
}

export const streamTransports = ['sse', 'websocket'] as const;
export type StreamTransport = (typeof streamTransports)[number];

/** Why an operation has no HTTP handler; published, so that clients need not look for one. */
export interface NoHttpBinding {
  readonly none: string;
}

export interface Operation<P extends TProperties = TProperties, R extends TSchema = TSchema> {
  readonly id: string;
  readonly category: string;
  readonly action: string;
  readonly summary: string;
  /** More than the summary says; paragraphs separated by blank lines. */
  readonly description?: string;
  readonly parameters: TObject<P>;
  readonly result: R;
  /** Arguments that every failure keeps in its details as they were given. */
  readonly kept?: readonly string[];
  /** What this operation can fail with beyond what its face can (see `face-errors.ts`). */
  readonly errors: readonly ErrorCode[];
  /** What only its command can fail with, on top of these. */
  readonly cliErrors?: readonly ErrorCode[];
  /** What the job that it queues can fail with. */
  readonly jobErrors?: readonly ErrorCode[];
  readonly permission: Permission;
  readonly execution: ExecutionPolicy;
  /**
   * Set where the thread that takes a call has work to do on its arguments before it sends them to the
   * one that carries it out (`bindPreparation`), which is not to be held up by that.
   */
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

/** Declares an operation. Its id is `category.action`, or one word where there is no action. */
export const defineOperation = <R extends TSchema, P extends TProperties = Record<never, TSchema>>(
  declaration: Declaration<P, R>,
): Operation<P, R> => {
  const [category = declaration.id, action = ''] = declaration.id.split('.');
  const parameters = Type.Object(declaration.parameters ?? ({} as P), {
    additionalProperties: false,
  });
  return { examples: [], ...declaration, category, action, parameters };
};

/** What a handler gets: defaults are filled in before it runs, in whichever thread. */
export type ArgumentsOf<O> =
  O extends Operation<infer P extends TProperties, TSchema> ? FilledArguments<P> : never;

export type ResultOf<O> =
  O extends Operation<TProperties, infer R extends TSchema> ? Static<R> : never;

export const hasHttp = (http: Operation['http']): http is HttpBinding => 'method' in http;
