export { JWT_NAME_PREFIX } from './config/auth-schema.js';
export {
  type OptionDescription,
  defaultText,
  optionDescriptions,
  storeOptionDescriptions,
  type StoreOptionDescription,
} from './config/describe.js';
export { type ConfigSources, loadConfig, parseConfig, suspiciousVariables } from './config/load.js';
export { readSecret, type SecretSource } from './config/secrets.js';
export { ConfigError } from './config/values.js';
export { type HeaderValue, isDiscovered } from './config/store-schema.js';
export type { Config, StoreConfig } from './config/schema.js';
