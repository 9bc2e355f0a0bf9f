/** Condition and update expressions of the few forms that the stores write; any other form is an error. */
import type { Change, Row } from '../../core/store/table.ts';

type Values = Readonly<Row>;

const unread = (text: string): Error => new Error(`a table in memory cannot read: ${text}`);

function valueNamed(name: string, values: Values): unknown {
  if (values[name] === undefined) throw unread(`${name}, which has no value`);
  return values[name];
}

/** A comparison with an attribute that is missing, or of another type, is false. */
function compared(is: unknown, operator: string, value: unknown): boolean {
  if (typeof is !== typeof value) return false;
  const [a, b] = [is as string | number, value as string | number];
  if (operator === '=') return a === b;
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return a > b;
}

function termHolds(row: Row, term: string, values: Values): boolean {
  if (term.startsWith('NOT ')) return !termHolds(row, term.slice(4), values);
  const absent = /^attribute_not_exists\((\w+)\)$/.exec(term)?.[1];
  if (absent !== undefined) return row[absent] === undefined;
  const [, name = '', operator = '', value = ''] = /^(\w+) (=|<|<=|>) (:\w+)$/.exec(term) ?? [];
  if (name === '') throw unread(term);
  return compared(row[name], operator, valueNamed(value, values));
}

/** Whether the change's condition is true for the row, which is empty where there is none. */
export function holdsFor(row: Row, change: Change): boolean {
  const { ConditionExpression: condition, ExpressionAttributeValues: values = {} } = change;
  if (condition === undefined) return true;
  return condition
    .split(' OR ')
    .some((either) => either.split(' AND ').every((term) => termHolds(row, term, values)));
}

function assigned(row: Row, assignment: string, values: Values): [string, unknown] {
  const [, present, first = ''] = /^(\w+) = if_not_exists\(\1, (:\w+)\)$/.exec(assignment) ?? [];
  if (present !== undefined) return [present, row[present] ?? valueNamed(first, values)];
  const [, name = '', summand, value = ''] = /^(\w+) = (?:(\w+) \+ )?(:\w+)$/.exec(assignment) ?? [];
  if (name === '') throw unread(assignment);
  const operand = valueNamed(value, values);
  return [name, summand === undefined ? operand : Number(row[summand]) + Number(operand)];
}

export interface ChangedRow {
  readonly row: Row;
  /** The attributes that were set. */
  readonly changed: Row;
}

/** The row after the change. */
export function changedRow(row: Row, change: Change): ChangedRow {
  const { UpdateExpression: expression = '', ExpressionAttributeValues: values = {} } = change;
  const [, set = '', remove] = /^SET (.+?)(?: REMOVE (.+))?$/.exec(expression) ?? [];
  if (set === '') throw unread(expression);
  const changed = Object.fromEntries(
    set.split(/, (?![^(]*\))/).map((assignment) => assigned(row, assignment, values)),
  );
  const removed = new Set(remove?.split(', '));
  const remaining = Object.entries(row).filter(([name]) => !removed.has(name));
  return { row: { ...Object.fromEntries(remaining), ...changed }, changed };
}
