export interface ImportRule {
  readonly name: string;
  readonly comment: string;
  readonly severity: string;
  readonly from: object;
  readonly to: object;
}
declare const config: { readonly forbidden: readonly ImportRule[]; readonly options: object };
export default config;
export declare const rooms: readonly string[];
