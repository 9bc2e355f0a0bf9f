/** The version of the formulae: it changes when a figure of the same calls would come out otherwise. */

/** Stated in `docs/methodology.md`, in the accuracy page and in the changelog. */
export const METHODOLOGY_VERSION = '1.1';
