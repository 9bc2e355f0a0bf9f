/** Corrupts a good reply the way upstreams do: cut off, garbled, repeated, with other numbers, dates and names. */

const ODD_TOKENS = [
  'null',
  '""',
  '" "',
  '[]',
  '{}',
  '-1',
  '1e400',
  '99999999999999999999',
  '12/12/2012',
  '2199-01-01T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '31/02/2026 25:61:00',
  'Valor Discrepante',
  'NaN',
  '<html>',
  '&lol;',
  '<!ENTITY a "b">',
  '\u0000',
  '\ufeff',
  '__proto__',
  'constructor',
  ';;;;',
  '💥',
];

type Mutation = (text: string, random: () => number) => string;

const spot = (text: string, random: () => number): number => Math.floor(random() * text.length);
const span = (text: string, random: () => number): [number, number] => {
  const start = spot(text, random);
  return [start, Math.min(text.length, start + 1 + Math.floor(random() * random() * 400))];
};

/** A run of letters and digits near a random spot, which is a name, a number or part of a date. */
function tokenAt(text: string, random: () => number): [number, number] {
  const start = spot(text, random);
  const rest = /[A-Za-z0-9.]+/.exec(text.slice(start));
  return rest ? [start + rest.index, start + rest.index + rest[0].length] : [start, start];
}

const MUTATIONS: readonly Mutation[] = [
  (text, random) => text.slice(0, spot(text, random)),
  (text, random) => text.slice(spot(text, random)),
  (text, random) => {
    const [from, to] = span(text, random);
    return text.slice(0, from) + text.slice(to);
  },
  (text, random) => {
    const [from, to] = span(text, random);
    return text.slice(0, to) + text.slice(from, to) + text.slice(to);
  },
  (text, random) => {
    const [from, to] = tokenAt(text, random);
    const odd = ODD_TOKENS[Math.floor(random() * ODD_TOKENS.length)] ?? '';
    return text.slice(0, from) + odd + text.slice(to);
  },
  (text, random) => {
    const [from, to] = tokenAt(text, random);
    return (
      text.slice(0, from) +
      text.slice(from, to).replaceAll(/\d/g, () => String(Math.floor(random() * 10))) +
      text.slice(to)
    );
  },
  (text, random) => {
    const [from, to] = tokenAt(text, random);
    const [other, otherTo] = tokenAt(text, random);
    return text.slice(0, from) + text.slice(other, otherTo) + text.slice(to);
  },
  (text, random) => {
    const at = spot(text, random);
    return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + text.slice(at + 1);
  },
];

/** `text` with one to six faults. */
export function mutated(text: string, random: () => number): string {
  let spoiled = text;
  for (let faults = 1 + Math.floor(random() * 6); faults > 0; faults -= 1) {
    const mutate = MUTATIONS[Math.floor(random() * MUTATIONS.length)];
    if (mutate && spoiled !== '') spoiled = mutate(spoiled, random);
  }
  return spoiled;
}
