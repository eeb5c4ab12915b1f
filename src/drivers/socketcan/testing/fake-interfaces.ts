import type { ChannelSettings } from '../../channel-settings.ts';
import type { CanInterface, CanInterfaces } from '../can-interfaces.ts';
import { linkPort } from '../link-capabilities.ts';
import { vcan } from '../netlink/testing/example-links.ts';

/** An interface that is up and accepts every setting. */
export const exampleInterface: CanInterface = {
  sn: 'vcan0',
  serial: 'vcan0',
  place: 'vcan0',
  uid: 'vcan0',
  label: 'vcan',
  firmwareVersion: '',
  name: 'vcan0',
  index: 4,
  isUp: true,
  isBusOff: false,
  busState: undefined,
  errorCounts: undefined,
  hasFd: false,
  hasController: false,
  keepsDlc: true,
  port: linkPort(vcan, 512),
  rates: { nominal: [], data: [] },
  settings: {},
};

/** Interfaces controlled by the test. */
export class FakeInterfaces implements CanInterfaces {
  links: readonly CanInterface[];
  /** Effect of a change; by default the interface becomes as requested. */
  onRun: (link: CanInterface, onDown: () => void) => void | Promise<void> = () => undefined;
  onRestart: (link: CanInterface, onDown: () => void) => void | Promise<void> = () => undefined;
  /** Commands for root; throws if the interface can never run with these settings. */
  onPreparation: (link: CanInterface) => string | undefined = () => undefined;
  readonly asked: ChannelSettings[] = [];
  readonly released: CanInterface[] = [];
  #onChange: (links: readonly CanInterface[]) => void = () => undefined;

  constructor(...links: readonly CanInterface[]) {
    this.links = links;
  }

  /** Interfaces were added, removed or changed. */
  change(...links: readonly CanInterface[]): void {
    this.links = links;
    this.#onChange(links);
  }

  async list(): Promise<readonly CanInterface[]> {
    return this.links;
  }

  watch(onChange: (links: readonly CanInterface[]) => void): () => void {
    this.#onChange = onChange;
    return () => undefined;
  }

  async run(
    link: CanInterface,
    settings: ChannelSettings,
    onDown: () => void = () => undefined,
  ): Promise<CanInterface> {
    this.asked.push(settings);
    await this.onRun(link, onDown);
    return { ...link, isUp: true };
  }

  preparation(link: CanInterface): string | undefined {
    return this.onPreparation(link);
  }

  async release(link: CanInterface): Promise<void> {
    this.released.push(link);
  }

  async restart(link: CanInterface, onDown: () => void = () => undefined): Promise<void> {
    await this.onRestart(link, onDown);
  }

  close(): void {}
}
