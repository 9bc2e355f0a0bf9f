/** Plain values in the form in which DynamoDB sends and takes them: `{ S: 'text' }`, `{ N: '1.5' }`, and so on. */

export type Row = Record<string, unknown>;

/** One value in DynamoDB's JSON; exactly one member is set. */
export interface AttributeValue {
  readonly S?: string;
  /** Decimal digits, as text. */
  readonly N?: string;
  readonly BOOL?: boolean;
  readonly NULL?: true;
  readonly L?: readonly AttributeValue[];
  readonly M?: Attributes;
}

export type Attributes = Readonly<Record<string, AttributeValue>>;

/** Throws TypeError at a value that no row has: numbers that are not finite, class instances, functions. */
function attributeOf(value: unknown): AttributeValue {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be stored`);
      return { N: String(value) };
    case 'boolean':
      return { BOOL: value };
    case 'object': {
      if (value === null) return { NULL: true };
      if (Array.isArray(value)) return { L: value.filter((item) => item !== undefined).map(attributeOf) };
      const prototype: unknown = Object.getPrototypeOf(value);
      if (prototype === Object.prototype || prototype === null) return { M: attributesOf(value as Row) };
    }
  }
  throw new TypeError(`a value of type ${Object.prototype.toString.call(value)} cannot be stored`);
}

/** Attributes that are undefined are left out. */
export function attributesOf(row: Readonly<Row>): Attributes {
  const attributes: Record<string, AttributeValue> = {};
  for (const name of Object.keys(row)) {
    const value = row[name];
    if (value !== undefined) attributes[name] = attributeOf(value);
  }
  return attributes;
}

function plainOf(attribute: AttributeValue): unknown {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.N !== undefined) return Number(attribute.N);
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.M !== undefined) return rowOf(attribute.M);
  if (attribute.L !== undefined) return attribute.L.map(plainOf);
  if (attribute.NULL !== undefined) return null;
  throw new TypeError(`an attribute of type ${Object.keys(attribute).join()} is not known here`);
}

/** Numbers become JavaScript numbers: no row has one with more than 15 digits that count. */
export function rowOf(attributes: Attributes): Row {
  const row: Row = {};
  for (const name of Object.keys(attributes)) row[name] = plainOf(attributes[name] as AttributeValue);
  return row;
}
