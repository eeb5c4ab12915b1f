import { signal } from '@preact/signals';
import type { JsonSchema, Schemas } from '../../../src/base/json-schema/json-schema.ts';
import {
  type Answer,
  call,
  type DatabaseContent,
  type DatabaseMessage,
  request,
  textOf,
} from '../api/client.ts';
import { type Resource, resource } from './resource.ts';

/** State of the bench as the service reports it. Pages share it, so each query is sent once. */
export const info = resource(() => call('info'));
export const capabilities = resource(() => call('capabilities'));
export const bench = resource(() => call('bench.show'));
export const devices = resource(() => call('device.list'), 'device.list');
export const channels = resource(() => call('channel.list'), 'channel.list');
export const databases = resource(() => call('database.list'), 'database.list');
export const plans = resource(
  async () => {
    const found: Answer<'signal.list'>['plans'][number][] = [];
    for (let offset = 0; ; ) {
      const page = await call('signal.list', { offset });
      found.push(...page.plans);
      if (page.plan_next_offset >= page.plan_total) return { ...page, plans: found };
      offset = page.plan_next_offset;
    }
  },
  'signal.list',
  ({ plan_total, plan_next_offset }) => plan_next_offset >= plan_total,
);
export const jobs = resource(() => call('job.list'), 'job.list');
export const operations = resource(() => call('operation.list'));
export const metrics = resource(() => request('/metrics', {}, textOf), 'metrics');

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Schemas };
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<
        string,
        {
          readonly schema: JsonSchema;
          readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
        }
      >
    >;
  };
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, unknown>> }>
  >;
  readonly 'x-permission'?: string;
  readonly 'x-execution'?: { readonly streaming: boolean };
}

/** Contract of the running service, which can be newer than this console. */
export const openApi: Resource<OpenApiDocument> = resource(
  () => call('openapi') as Promise<unknown> as Promise<OpenApiDocument>,
);

const wholeMessage = async (
  name: string,
  offset: number,
  message: DatabaseMessage,
): Promise<DatabaseMessage> => {
  const signals = [...message.signals];
  for (let left = message.signals_omitted; left > 0; ) {
    const page = { name, offset, limit: 1, signal_offset: signals.length };
    const [more] = (await call('database.show', page)).message_page;
    if (!more || more.signals.length === 0) break;
    signals.push(...more.signals);
    left = more.signals_omitted;
  }
  return { ...message, signals, signals_omitted: 0 };
};

const wholeDatabase = async (name: string): Promise<DatabaseContent> => {
  const messages: DatabaseMessage[] = [];
  for (let offset = 0; ; ) {
    const page = await call('database.show', { name, offset, limit: 1000 });
    for (const [index, message] of page.message_page.entries()) {
      messages.push(await wholeMessage(name, offset + index, message));
    }
    if (page.message_next_offset >= page.message_total) return { ...page, message_page: messages };
    offset = page.message_next_offset;
  }
};

export const catalogs = resource(async () => {
  const { databases: loaded } = await call('database.list');
  const contents = await Promise.all(loaded.map(({ name }) => wholeDatabase(name)));
  return new Map(contents.map((content) => [content.name, content]));
});

const refreshed = [
  bench,
  devices,
  channels,
  databases,
  catalogs,
  plans,
  openApi,
  operations,
  metrics,
  info,
  capabilities,
] as const;

export const refreshedAt = signal<Date | null>(null);
export const isRefreshing = signal(false);
export const refreshFailures = signal(0);

export const refreshAll = async (): Promise<void> => {
  if (isRefreshing.peek()) return;
  isRefreshing.value = true;
  await Promise.all(refreshed.map((each) => each.refresh()));
  isRefreshing.value = false;
  refreshFailures.value = refreshed.filter(({ error }) => error.peek() !== null).length;
  refreshedAt.value = new Date();
};
