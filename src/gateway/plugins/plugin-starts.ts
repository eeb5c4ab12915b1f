import type { Clock } from '../../base/clock/clock.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { closeLibraries, type OpenLibrary, openLibraries } from './library-files.ts';
import { probeLibraries } from './probe-libraries.ts';
import { readPluginPlans } from './read-plans.ts';

export interface PluginStartsOptions {
  readonly projectRoot: string;
  /** The program that probes. */
  readonly program: string;
  readonly clock: Clock;
}

/** What of an instance is looked at before it is started. */
interface StartedInstance {
  readonly file: string;
  readonly image: ProjectImage;
}

/** Opens and tries the libraries of instances before a start, in a thread that may wait. */
export class PluginStarts {
  readonly #options: PluginStartsOptions;

  constructor(options: PluginStartsOptions) {
    this.#options = options;
  }

  /** Calls with the libraries of an instance once they were tried, and closes them afterwards. */
  async with<T>(
    { file, image }: StartedInstance,
    use: (libraries: readonly OpenLibrary[]) => Promise<T>,
  ): Promise<T> {
    const { projectRoot } = this.#options;
    const plans = readPluginPlans(image);
    const { default: ffi } = await import('koffi');
    const libraries = openLibraries(ffi, projectRoot, file, plans);
    try {
      await probeLibraries(plans, libraries, this.#options);
      return await use(libraries);
    } finally {
      closeLibraries(libraries);
    }
  }
}
