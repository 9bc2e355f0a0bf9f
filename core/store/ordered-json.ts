/** JSON whose bytes do not depend on the order in which DynamoDB returns the attributes of a row. The values are flat. */
export const orderedJson = (row: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));
