/** The part of cli-progress that is used; the package has no types. */
declare module 'cli-progress' {
  export interface BarOptions {
    readonly format: string;
    readonly hideCursor?: boolean;
    readonly clearOnComplete?: boolean;
    readonly stream?: NodeJS.WritableStream;
  }
  export class SingleBar {
    constructor(options: BarOptions);
    start(total: number, value: number, payload?: object): void;
    update(value: number, payload?: object): void;
    stop(): void;
  }
}
