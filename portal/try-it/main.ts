/** Starts Swagger UI on the API's own description. The key it is given stays in the memory of this page. */
import 'swagger-ui-dist/swagger-ui.css';
import '../styles/try-it.css';
import { portalSettings } from '../api/settings.ts';
import { mendAccessibility } from './accessibility.ts';

interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
}

/** Defined by the bundle that the page loads before this file. */
declare const SwaggerUIBundle: (options: object) => SwaggerUi;

/** Name of the key scheme in openapi.json. */
const SCHEME = 'apiKey';

interface Parameter {
  readonly in?: string;
  readonly required?: boolean;
  example?: unknown;
}

interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>
  >;
}

/** The console would send the examples of optional parameters as their values. */
function withoutOptionalExamples(description: Description): Description {
  for (const operations of Object.values(description.paths))
    for (const { parameters = [] } of Object.values(operations))
      for (const parameter of parameters)
        if (parameter.in === 'query' && parameter.required !== true) delete parameter.example;
  return description;
}

const description: Description = await (await fetch('/openapi.json')).json();
const ui = SwaggerUIBundle({
  dom_id: '#swagger',
  spec: withoutOptionalExamples(description),
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
  onComplete: async () => {
    const { demoKey = '' } = await portalSettings();
    if (demoKey !== '') ui.preauthorizeApiKey(SCHEME, demoKey);
  },
});
const host = document.getElementById('swagger');
if (host) mendAccessibility(host);
