import type { ProjectDocument } from './project-document.ts';

interface Edit {
  readonly document: ProjectDocument;
  readonly label: string;
  /** Edits of the same cell in a row are undone together. */
  readonly place: string | null;
}

const maxEdits = 1000;

/** The states of a document since it was opened, and which of them is current. */
export class EditHistory {
  readonly #edits: readonly Edit[];
  readonly #at: number;

  private constructor(edits: readonly Edit[], at: number) {
    this.#edits = edits;
    this.#at = at;
  }

  static of(document: ProjectDocument): EditHistory {
    return new EditHistory([{ document, label: '', place: null }], 0);
  }

  get document(): ProjectDocument {
    return this.#current.document;
  }

  /** What undo reverts; null if there is nothing. */
  get undoLabel(): string | null {
    return this.#at > 0 ? this.#current.label : null;
  }

  get redoLabel(): string | null {
    return this.#edits[this.#at + 1]?.label ?? null;
  }

  /** The document before the edit of a cell, as long as it continues. */
  before(place: string): ProjectDocument {
    const edit = this.#continues(place) ? this.#edits[this.#at - 1] : undefined;
    return edit?.document ?? this.document;
  }

  with(document: ProjectDocument, label: string, place: string | null = null): EditHistory {
    if (document === this.document) return this;
    const continues = this.#continues(place);
    const kept = this.#edits.slice(0, continues ? this.#at : this.#at + 1).slice(-maxEdits);
    return new EditHistory([...kept, { document, label, place }], kept.length);
  }

  /** Ends the edit of a cell: a later one of the same cell is undone separately. */
  closed(): EditHistory {
    if (this.#current.place === null) return this;
    const edits = this.#edits.with(this.#at, { ...this.#current, place: null });
    return new EditHistory(edits, this.#at);
  }

  undone(): EditHistory {
    return new EditHistory(this.#edits, Math.max(0, this.#at - 1)).closed();
  }

  redone(): EditHistory {
    return new EditHistory(this.#edits, Math.min(this.#edits.length - 1, this.#at + 1)).closed();
  }

  #continues(place: string | null): boolean {
    return place !== null && place === this.#current.place && this.#at > 0;
  }

  get #current(): Edit {
    return this.#edits[this.#at] as Edit;
  }
}
