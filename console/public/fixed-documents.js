import { getJson } from './api.js';

/**
 * Keeps documents that change only with a daemon start: reads each once it can be had, and all of
 * them anew when the service comes back or another daemon answers.
 */
export class FixedDocuments {
  #documents;
  #servedBy = null;
  #uptimeUs = 0;

  /** Each document has a `path`, and `show` and `fail` to present its value or its error. */
  constructor(documents) {
    this.#documents = documents.map((document) => ({ ...document, isFresh: false }));
  }

  /** Takes every new view of the service; see `watchHealth`. */
  follow({ health, error }) {
    if (error) {
      this.#servedBy = null;
      return;
    }
    const { pid, uptime_us } = health.daemon;
    // In containers a new daemon often gets the process id of the old one.
    const isAnother = pid !== this.#servedBy || uptime_us < this.#uptimeUs;
    this.#servedBy = pid;
    this.#uptimeUs = uptime_us;
    if (isAnother) for (const document of this.#documents) document.isFresh = false;
    for (const document of this.#documents) if (!document.isFresh) this.#load(document);
  }

  /** Counts as fresh while under way, so that the next look at the service does not ask twice. */
  async #load(document) {
    document.isFresh = true;
    let value;
    try {
      value = await getJson(document.path);
    } catch (error) {
      document.isFresh = false;
      return document.fail(error);
    }
    document.show(value);
  }
}
