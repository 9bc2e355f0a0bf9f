/** What the committed OpenAPI document and the Postman collection state, until the portal of a service states its own. */

/** The service as `npm start` opens it; absolute, because Postman cannot read a relative address. */
export const LOCAL_ADDRESS = 'http://127.0.0.1:3000';
/** The value of the key where there is no public one. */
export const NO_KEY = 'YOUR_API_KEY';
