export interface Mutant {
  /** Absolute. */
  readonly fileName: string;
  /** Lines and columns from 0. */
  readonly location: { readonly start: Position; readonly end: Position };
  readonly mutatorName: string;
  /** The code that stands in the place of the original. */
  readonly replacement: string;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

export interface MutantResult extends Mutant {
  readonly status: 'Killed' | 'Survived' | 'NoCoverage' | 'Timeout' | 'RuntimeError' | 'CompileError' | 'Ignored';
}

export function keyOf(mutant: Mutant): string;
/** The mutants of files, whose names are absolute, as a run with their folder makes them. */
export function findMutants(files: readonly { name: string; content: string }[]): Promise<Mutant[]>;
/** Runs Stryker with options of its configuration file. */
export function runMutants(options: Readonly<Record<string, unknown>>): Promise<MutantResult[]>;
