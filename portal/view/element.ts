/** Creates elements of the page. Text is inserted as text, so no response can become markup. */

type Child = Node | string | undefined;
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

function fill(node: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.filter((child) => child !== undefined));
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  fill(node, attributes, children);
  return node;
}

const SVG = 'http://www.w3.org/2000/svg';

export function svgElement<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS(SVG, tag);
  fill(node, attributes, children);
  return node;
}

/** `text` as nodes between which a line may break: after the slashes and separators of an address. */
export const breakable = (text: string): (Node | string)[] =>
  text.split(/(?<=[/?&=,](?!\/))/).flatMap((part, i) => (i === 0 ? [part] : [element('wbr'), part]));

/** The element of the page with this id, which the page's HTML must have. */
export function required(id: string): HTMLElement {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the page has no #${id}`);
  return node;
}

/** The event on the document after which everything is redrawn, with other colours or marks. */
export const REDRAW = 'redraw';
