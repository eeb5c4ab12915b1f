/** Frames for MasterReq slots, 8 bytes each. */
export interface RequestSource {
  /** The next frame, or null. It is valid until the next call. */
  nextFrame(nowUs: number): Uint8Array | null;
  /** Outcome of the last frame: a frame that was not sent is offered again. */
  settled(isSent: boolean, atUs: number): void;
}

export interface SlotUser extends RequestSource {
  /** The slots are this user's until it leaves. */
  entered(nowUs: number): void;
  /** The schedule ended. The user has left. */
  ended(): void;
}

/**
 * Diagnostic slots of a running schedule. A slave drops its response when another one is
 * addressed, so one request at a time has them, from its first frame to the end of its response;
 * others wait in order. Single frames that no slave answers may be sent in between.
 */
export class DiagnosticSlots {
  readonly #pollUs: () => number | null;
  readonly #waiting: SlotUser[] = [];
  readonly #singles: RequestSource[] = [];
  #user: SlotUser | null = null;
  /** Whose frame is at the port; null if its source has left. */
  #source: RequestSource | null = null;
  #isAtPort = false;
  #isBegun = false;

  /** `pollUs`: longest time until a response that is ready was read; null without the slots. */
  constructor(pollUs: () => number | null) {
    this.#pollUs = pollUs;
  }

  get pollUs(): number | null {
    return this.#pollUs();
  }

  /** Whether a request is under way. */
  get isInUse(): boolean {
    return this.#user !== null;
  }

  /** Whether a frame of the request under way was sent, so that a slave may respond. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  join(user: SlotUser, nowUs: number): void {
    if (this.#user === null) this.#enter(user, nowUs);
    else this.#waiting.push(user);
  }

  leave(user: SlotUser, nowUs: number): void {
    if (this.#source === user) this.#source = null;
    const place = this.#waiting.indexOf(user);
    if (place >= 0) this.#waiting.splice(place, 1);
    if (this.#user !== user) return;
    this.#user = null;
    this.#isBegun = false;
    const next = this.#waiting.shift();
    if (next) this.#enter(next, nowUs);
  }

  /** Sends one frame of the source, next to the request under way. */
  addSingle(source: RequestSource): void {
    if (!this.#singles.includes(source)) this.#singles.push(source);
  }

  removeSingle(source: RequestSource): void {
    if (this.#source === source) this.#source = null;
    const place = this.#singles.indexOf(source);
    if (place >= 0) this.#singles.splice(place, 1);
  }

  /** The frame of a MasterReq slot that starts now, or null. `settled` follows. */
  next(nowUs: number): Uint8Array | null {
    if (this.#isAtPort) return null;
    return this.#nextOf(this.#user, nowUs) ?? this.#nextOf(this.#singles.shift() ?? null, nowUs);
  }

  settled(isSent: boolean, atUs: number): void {
    const source = this.#source;
    if (isSent && source !== null && source === this.#user) this.#isBegun = true;
    this.#source = null;
    this.#isAtPort = false;
    source?.settled(isSent, atUs);
  }

  /** The schedule has stopped. */
  end(): void {
    const users = this.#user ? [this.#user, ...this.#waiting] : [];
    this.#user = null;
    this.#isBegun = false;
    this.#source = null;
    this.#isAtPort = false;
    this.#waiting.length = 0;
    this.#singles.length = 0;
    for (const user of users) user.ended();
  }

  #enter(user: SlotUser, nowUs: number): void {
    this.#user = user;
    user.entered(nowUs);
  }

  #nextOf(source: RequestSource | null, nowUs: number): Uint8Array | null {
    const frame = source?.nextFrame(nowUs) ?? null;
    if (frame) {
      this.#source = source;
      this.#isAtPort = true;
    }
    return frame;
  }
}
