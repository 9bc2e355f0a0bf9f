/** Swagger UI on the API's own description. The key it is given stays in the memory of this page. */
import { keptKey } from '../api/responses.ts';
import { portalJson } from '../api/source-list.ts';
import { portalSettings } from '../view/page.ts';

/** Adds accessible names to the controls of Swagger UI that lack one. */
function mend(host: HTMLElement): void {
  for (const control of host.querySelectorAll(
    'select:not([aria-label]), input:not([aria-label]), textarea:not([aria-label])',
  )) {
    const row = control.closest('tr')?.querySelector('.parameter__name')?.firstChild?.textContent;
    const near = control.closest('label, .response-control-media-type, .auth-container')?.textContent;
    const label = row ?? near ?? control.getAttribute('placeholder') ?? 'Value';
    control.setAttribute('aria-label', label.trim().slice(0, 80));
  }
  for (const block of host.querySelectorAll('pre:not([tabindex])')) block.setAttribute('tabindex', '0');
}

/** The same also after it redraws. */
function mendAccessibility(host: HTMLElement): void {
  new MutationObserver(() => mend(host)).observe(host, { childList: true, subtree: true });
  mend(host);
}

/** Defined by the script of the console. */
declare const SwaggerUIBundle: (options: object) => {
  preauthorizeApiKey(scheme: string, key: string): void;
};
/** Addresses of the script and the style sheet of the console, set by the build. */
declare const CONSOLE_FILES: { readonly script: string; readonly style: string };

const SCHEME = 'apiKey';

interface Parameter {
  readonly in?: string;
  readonly required?: boolean;
  example?: unknown;
}

type Operation = { readonly parameters?: readonly Parameter[] };

/** Without the examples of optional parameters, which the console would send as their values; of the address of this page. */
async function readDescription(): Promise<object> {
  const description = await portalJson<{ paths: Record<string, Record<string, Operation>> }>('/openapi.json');
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters))
    if (parameter.in === 'query' && parameter.required !== true) delete parameter.example;
  return { ...description, servers: [{ url: '/' }] };
}

const loaded = (node: HTMLElement): Promise<void> =>
  new Promise((resolve, reject) => {
    node.addEventListener('load', () => resolve());
    node.addEventListener('error', () => reject(new Error('a file of the console cannot be loaded')));
  });

function loadFiles(): Promise<unknown> {
  const style = Object.assign(document.createElement('link'), {
    rel: 'stylesheet',
    href: CONSOLE_FILES.style,
  });
  const script = Object.assign(document.createElement('script'), { src: CONSOLE_FILES.script });
  const files = Promise.all([loaded(style), loaded(script)]);
  // The styles of the portal come after those of the console and change them.
  document.querySelector('link[rel="stylesheet"]')?.before(style);
  document.head.append(script);
  return files;
}

/** The element that `selector` finds in `host`, once it is drawn. */
const drawn = (host: HTMLElement, selector: string): Promise<HTMLElement> =>
  new Promise((resolve) => {
    const look = (): boolean => {
      const found = host.querySelector<HTMLElement>(selector);
      if (found) resolve(found);
      return found !== null;
    };
    if (look()) return;
    const watch = new MutationObserver(() => {
      if (look()) watch.disconnect();
    });
    watch.observe(host, { childList: true, subtree: true });
  });

/**
 * Loads the console, draws it in the place of `host`'s content, which stays until then below `notice`, and expands an operation.
 *
 * @param operation tag and id of an operation, as in `Ports-snapshot`
 */
export async function openConsole(host: HTMLElement, operation: string, notice: HTMLElement): Promise<void> {
  host.prepend(notice);
  const [spec] = await Promise.all([readDescription(), loadFiles()]);
  const key = keptKey() ?? portalSettings().demoKey ?? '';
  const body = Object.assign(document.createElement('div'), { id: 'swagger' });
  const ui = SwaggerUIBundle({
    domNode: body,
    spec,
    // Its public validator is on another host.
    validatorUrl: null,
    persistAuthorization: false,
    withCredentials: false,
    deepLinking: false,
    tryItOutEnabled: true,
    // Its fixed colours are too pale on a light background.
    syntaxHighlight: false,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    docExpansion: 'list',
    supportedSubmitMethods: ['get', 'head'],
    onComplete: () => {
      if (key !== '') ui.preauthorizeApiKey(SCHEME, key);
    },
  });
  host.replaceChildren(body);
  mendAccessibility(body);
  const control = await drawn(body, `#operations-${CSS.escape(operation)} .opblock-summary-control`);
  control.click();
  control.scrollIntoView({ block: 'center' });
  control.focus();
}
