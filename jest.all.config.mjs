// `npm run test:all`: everything of which `npm test` takes a slice.
import config from './jest.config.mjs';

process.env.TEST_EXTENT = 'all';
export default config;
