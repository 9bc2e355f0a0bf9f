/** The request as code in three languages, to copy. */

import type { BuiltRequest } from '../request/built-request.ts';
import { curlCode, KEY_VARIABLE, pythonCode, typescriptCode } from '../request/request-code.ts';
import { createChoice } from '../view/choice.ts';
import { copyButton } from '../view/copy-button.ts';
import { element } from '../view/element.ts';

const LANGUAGES = { curl: curlCode, TypeScript: typescriptCode, Python: pythonCode } as const;
type Language = keyof typeof LANGUAGES;

export interface CodeTabs {
  readonly node: HTMLElement;
  show(request: BuiltRequest, baseUrl: string): void;
}

export function createCodeTabs(): CodeTabs {
  let language: Language = 'curl';
  let shown: [BuiltRequest, string] | undefined;
  const code = element('code');
  const draw = (): void => {
    code.textContent = shown === undefined ? '' : LANGUAGES[language](...shown);
  };
  const languages = createChoice('Language', Object.keys(LANGUAGES), (chosen) => {
    language = chosen as Language;
    draw();
  });
  languages.show(language);
  const node = element(
    'section',
    { class: 'panel', 'aria-labelledby': 'code-title' },
    element('header', { class: 'panel-head' }, element('h2', { id: 'code-title' }, 'Code'), languages.group),
    element('pre', { class: 'code', tabindex: 0, role: 'region', 'aria-label': 'Code of the request' }, code),
    element(
      'footer',
      { class: 'panel-foot' },
      element('span', {}, 'The key is read from ', element('code', {}, KEY_VARIABLE), '.'),
      copyButton('Copy code', () => code.textContent ?? ''),
    ),
  );
  return {
    node,
    show(request, baseUrl) {
      shown = [request, baseUrl];
      draw();
    },
  };
}
