import type { DetectedField } from '../analysis/detect-fields.ts';
import { ChannelNames } from './channel-names.ts';
import { type ExportFormat, saveTrace } from './export-trace.ts';
import type { FindContext } from './find-rows.ts';
import { Definitions } from './message-names.ts';
import type { RowEngine } from './row-engine.ts';
import type { FoundFields, RowAnswer, RowRequest } from './row-messages.ts';
import type { RowNote } from './row-note.ts';
import { RowSearch } from './row-search.ts';
import type { FrameView, WindowQuestion } from './row-windows.ts';
import { WindowPacer } from './window-pacer.ts';

interface RowRequestsOptions {
  readonly engine: RowEngine;
  readonly post: (answer: RowAnswer, transfer?: Transferable[]) => void;
  /** Refresh interval of a window. */
  readonly stepMs: (view: FrameView) => number;
  readonly now: () => number;
  readonly later: (run: () => void, ms: number) => void;
}

const yieldToEvents = (): Promise<void> => new Promise((done) => setTimeout(done));

/** Answers what the page asks about rows, in the worker that has them. */
export class RowRequests {
  readonly #engine: RowEngine;
  readonly #post: RowRequestsOptions['post'];
  readonly #pacer: WindowPacer<WindowQuestion & { readonly buffer: ArrayBuffer }>;
  readonly #search = new RowSearch();
  #findContext: FindContext = { databases: [], attached: [], channels: [], gateways: [] };
  #channelNames = new ChannelNames([]);

  constructor({ engine, post, stepMs, now, later }: RowRequestsOptions) {
    this.#engine = engine;
    this.#post = post;
    this.#pacer = new WindowPacer(
      ({ number, request, buffer }) => {
        const facts = engine.window(request, buffer);
        post({ type: 'window', number, request, facts, buffer }, [buffer]);
      },
      ({ request }) => stepMs(request.view),
      { now, later },
    );
  }

  /** The rows have changed. */
  notify(): void {
    this.#pacer.notify();
  }

  take(asked: RowRequest): void {
    const engine = this.#engine;
    const post = this.#post;
    switch (asked.type) {
      case 'window': {
        const buffer = asked.buffer ?? this.#pacer.waiting?.buffer;
        // Without a buffer, an answer is in flight; the table then requests again.
        if (buffer) this.#pacer.ask({ ...asked, buffer }, asked.isImmediate);
        break;
      }
      case 'filter':
        engine.filter(asked.filter);
        break;
      case 'names': {
        const { attached = [], gateways = [] } = asked.sources;
        engine.name(asked.sources);
        this.#findContext = { ...this.#findContext, attached, gateways };
        break;
      }
      case 'channels':
        this.#channelNames = new ChannelNames(asked.seen);
        this.#findContext = { ...this.#findContext, channels: asked.seen };
        break;
      case 'define':
        engine.define(new Definitions(asked.databases));
        this.#findContext = { ...this.#findContext, databases: asked.databases };
        break;
      case 'expand':
        engine.expand(asked.view, asked.expansion);
        break;
      case 'rows': {
        const found =
          asked.span === null
            ? engine.rowsAt(this.#search.serials)
            : engine.rowsBetween(asked.view, asked.span);
        post({ type: 'rows', number: asked.number, ...found }, [found.buffer]);
        break;
      }
      case 'search':
        void this.#search
          .find(asked, engine.holdAll(), engine, this.#findContext, yieldToEvents)
          .then((result) => post({ type: 'searched', result }));
        break;
      case 'export':
        void this.#writeFile(asked.format, asked.notes).then((answer) => post(answer));
        break;
      case 'statistics':
        post({ type: 'statistics', report: engine.statistics });
        break;
      case 'changes':
        post({ type: 'changes', report: engine.changes(asked.selected) });
        break;
      case 'fields':
        void this.#findFields().then((found) => post({ type: 'fields', found }));
        break;
      case 'mark':
        engine.mark(asked.serial);
        break;
      case 'unmark':
        engine.unmark();
        break;
    }
  }

  /** Searches the kept frames of one ID after another, so that new frames are taken meanwhile. */
  async #findFields(): Promise<FoundFields> {
    const found = new Map<number, readonly DetectedField[]>();
    const detector = await import('../analysis/detect-fields.ts').catch(() => null);
    if (detector === null) return found;
    for (const { serial, ...payloads } of this.#engine.payloads(detector.searchedFrames)) {
      const fields = detector.detectFields(payloads);
      if (fields.length > 0) found.set(serial, fields);
      await yieldToEvents();
    }
    return found;
  }

  async #writeFile(format: ExportFormat, notes: readonly RowNote[]): Promise<RowAnswer> {
    const { names, shownFromUs } = this.#engine;
    const { rows, release } = this.#engine.holdShown();
    try {
      const saved = await saveTrace(rows, format, shownFromUs, {
        names,
        notes,
        channels: this.#channelNames,
      });
      return { type: 'export', saved };
    } finally {
      release();
    }
  }
}
