import type { CanInterface } from './can-interfaces.ts';

/**
 * Knows the interface of an open channel again: by its index while it is there, and once it was gone by
 * its serial number, or by its place where copies of it have the same one. Its channel keeps the serial
 * number it was opened with, also while another that is plugged in gives the interface another name.
 */
export class LinkFollower {
  readonly sn: string;
  readonly #serial: string;
  #index: number;
  #place: string;
  #hasCopies: boolean;

  constructor({ sn, serial, index, place }: CanInterface) {
    this.sn = sn;
    this.#serial = serial;
    this.#index = index;
    this.#place = place;
    this.#hasCopies = sn === place;
  }

  isOn({ index }: CanInterface): boolean {
    return index === this.#index;
  }

  /** The interface among all; undefined if it is gone. */
  find(links: readonly CanInterface[]): CanInterface | undefined {
    const alike = links.filter(({ serial }) => serial === this.#serial);
    const own = links.find((link) => this.isOn(link));
    // Seen together, so that the other one is not taken for it once it is gone.
    if (own && alike.some((link) => !this.isOn(link))) this.#hasCopies = true;
    const found = own ?? alike.find(({ place }) => place === this.#place || !this.#hasCopies);
    if (!found) return undefined;
    this.#index = found.index;
    this.#place = found.place;
    return { ...found, sn: this.sn };
  }
}
