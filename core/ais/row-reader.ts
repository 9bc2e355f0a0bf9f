/** Reads the rows of a written state. */

/** The state cannot be used: damaged, or of another engine. The message says what to do. */
export class UnusableState extends Error {
  override readonly name = 'UnusableState';
}

/** Reads numbers one after another; anything but a finite number makes the state unusable. */
export class RowReader {
  private at = 0;
  constructor(private readonly row: unknown) {}

  next(): number {
    const value = Array.isArray(this.row) ? this.row[this.at] : undefined;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new UnusableState('a number is missing');
    this.at += 1;
    return value;
  }

  flag(): boolean {
    return this.next() !== 0;
  }

  list(): readonly unknown[] {
    const value = Array.isArray(this.row) ? this.row[this.at] : undefined;
    if (!Array.isArray(value)) throw new UnusableState('a list is missing');
    this.at += 1;
    return value;
  }

  /** A list, or undefined where the row has a number instead. */
  optionalList(): readonly unknown[] | undefined {
    const value = Array.isArray(this.row) ? this.row[this.at] : undefined;
    if (Array.isArray(value)) return this.list();
    this.next();
    return undefined;
  }
}
