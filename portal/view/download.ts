/** Files that the page makes: a text, or the picture of a drawing in the colours of the theme. */

function save(content: Blob, name: string): void {
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(content),
    download: name,
  });
  link.click();
  URL.revokeObjectURL(link.href);
}

export const saveText = (text: string, type: string, name: string): void =>
  save(new Blob([text], { type }), name);

const FONT = ['text-anchor', 'font-family', 'font-size', 'font-weight'];
const COPIED = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', ...FONT];
const TITLE_PX = 26;

/** Sharp also when it is enlarged. */
const DENSITY = 2;

/** Saves `drawing` under a line with `title` as PNG. Style sheets do not reach into a picture: its colours are written into it. */
export async function savePicture(drawing: SVGSVGElement, title: string, name: string): Promise<void> {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = drawing.querySelectorAll('*');
  for (const [i, node] of Array.from(copy.querySelectorAll('*')).entries()) {
    const style = getComputedStyle(originals[i] as Element);
    if (node.classList.contains('uncovered')) continue;
    for (const property of COPIED) node.setAttribute(property, style.getPropertyValue(property));
  }
  const [width, height] = [drawing.clientWidth, drawing.clientHeight];
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: width * DENSITY, height: (height + TITLE_PX) * DENSITY });
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const { color, backgroundColor } = getComputedStyle(document.body);
  context.scale(DENSITY, DENSITY);
  context.fillStyle = backgroundColor;
  context.fillRect(0, 0, width, height + TITLE_PX);
  context.fillStyle = color;
  context.font = '600 13px sans-serif';
  context.fillText(title, 8, 17);
  context.drawImage(image, 0, TITLE_PX, width, height);
  canvas.toBlob((png) => png && save(png, name), 'image/png');
}
