/** The part of a source's declaration that the stacks need. */
export interface ScheduledSource {
  readonly id: string;
  readonly everyMinutes: number;
  readonly freshnessBudgetMinutes: number;
  /** Name of the secret it cannot fetch without, if any. */
  readonly secret?: string;
}

/** Environment variable with the name in Secrets Manager of the secret `name`. */
export const secretVariable = (name: string): string => `${name}_SECRET_NAME`;

/** Name in Secrets Manager of the secret `name`: `CENSUS_API_KEY` of dev is `pcd/dev/census-api-key`. */
export const secretNameOf = (stage: string, name: string): string =>
  `pcd/${stage}/${name.toLowerCase().replaceAll('_', '-')}`;
