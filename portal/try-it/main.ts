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

const ui = SwaggerUIBundle({
  dom_id: '#swagger',
  url: '/openapi.json',
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
